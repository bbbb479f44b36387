import type { Context, Env, Hono } from 'hono';
import { AppError } from '#server/errors.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Answers what no route took: `method_not_allowed` where another method would have been taken, else `not_found`. */
export function refuseUnknown<E extends Env>(app: Hono<E>, c: Context<E>): never {
  const taken = METHODS.filter((method) =>
    app.router
      .match(method, c.req.path)[0]
      .some(([[, route]]) => route.method === method && !route.path.endsWith('*')),
  );
  if (taken.length === 0) throw new AppError('not_found');
  c.header('allow', taken.join(', '));
  throw new AppError('method_not_allowed');
}
