import type { Context, Env, MiddlewareHandler } from 'hono';
import { AppError } from '#server/errors.ts';
import { TokenBuckets } from '../token-buckets.ts';

export interface RequestLimits<E extends Env> {
  /** Who is counted: a user, or the network of a visitor. */
  callerOf(c: Context<E>): string;
  /** Requests of one caller in a minute, of any kind and over all routes. */
  requestsPerMinute: number;
  /** Requests among them that change anything. */
  changesPerMinute: number;
  /** Routes that one caller may use more rarely than that, or that change nothing and are dear; the first that fits counts. */
  stricter: readonly { name: string; method: string; path: RegExp; perMinute: number }[];
}

export interface RequestLimiter<E extends Env> {
  /** Counts every request, whatever its caller and its path. */
  all: MiddlewareHandler<E>;
  /** Counts changes, and what is dear, by the narrower limits. */
  changes: MiddlewareHandler<E>;
}

/**
 * Bounds what one caller may ask of this process in a minute. It stands before all routes, so that a new one is limited without
 * saying so; it costs no query. Its handlers throw `rate_limited`.
 */
export function limitRequests<E extends Env>(limits: RequestLimits<E>): RequestLimiter<E> {
  const buckets = new TokenBuckets();
  const take = (key: string, perMinute: number) => {
    const seconds = buckets.take(key, perMinute);
    if (seconds > 0) throw new AppError('rate_limited', { seconds });
  };
  return {
    async all(c, next) {
      take(`request ${limits.callerOf(c)}`, limits.requestsPerMinute);
      await next();
    },
    async changes(c, next) {
      const { method, path } = c.req;
      const isChange = !['GET', 'HEAD', 'OPTIONS'].includes(method);
      const asked = method === 'HEAD' ? 'GET' : method;
      const rule = limits.stricter.find((one) => one.method === asked && one.path.test(path));
      if (rule) take(`${rule.name} ${limits.callerOf(c)}`, rule.perMinute);
      if (isChange) take(`change ${limits.callerOf(c)}`, limits.changesPerMinute);
      await next();
    },
  };
}
