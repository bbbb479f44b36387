import type { Context, Env, MiddlewareHandler } from 'hono';
import { AppError } from '#server/errors.ts';
import { TokenBuckets } from './token-buckets.ts';

export interface RequestLimits<E extends Env> {
  /** Who is counted: a user, or the network of a visitor. */
  callerOf(c: Context<E>): string;
  /** Requests of one caller in a minute that change anything, over all routes. */
  changesPerMinute: number;
  /** Routes that one caller may use more rarely than that, or that change nothing and are dear; the first that fits counts. */
  stricter: readonly { name: string; method: string; path: RegExp; perMinute: number }[];
}

/**
 * Bounds what one caller may ask of this process in a minute. It stands before all routes, so that a new one is limited without
 * saying so; it costs no query. Throws `rate_limited`.
 */
export function limitRequests<E extends Env>(limits: RequestLimits<E>): MiddlewareHandler<E> {
  const buckets = new TokenBuckets();
  const take = (key: string, perMinute: number) => {
    const seconds = buckets.take(key, perMinute);
    if (seconds > 0) throw new AppError('rate_limited', { seconds });
  };
  return async (c, next) => {
    const { method, path } = c.req;
    const isChange = !['GET', 'HEAD', 'OPTIONS'].includes(method);
    const asked = method === 'HEAD' ? 'GET' : method;
    const rule = limits.stricter.find((one) => one.method === asked && one.path.test(path));
    if (rule) take(`${rule.name} ${limits.callerOf(c)}`, rule.perMinute);
    if (isChange) take(`change ${limits.callerOf(c)}`, limits.changesPerMinute);
    await next();
  };
}
