import { randomUUID } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { runAbout } from '../telemetry/request-context.ts';

/** Names each request, for its answer and for the log, and measures it under the pattern of its route. */
export function observeRequest(
  metrics: Metrics,
  log: Log,
): MiddlewareHandler<{ Bindings: Partial<HttpBindings> }> {
  return async (c, next) => {
    const started = performance.now();
    const requestId = randomUUID();
    if (c.env?.outgoing) c.env.outgoing.setHeader('x-request-id', requestId);
    else c.header('x-request-id', requestId);
    await runAbout({ requestId }, async () => {
      await next();
      const seconds = (performance.now() - started) / 1000;
      const route = matchedRoutes(c).find((one) => one.method !== 'ALL')?.path ?? 'none';
      const { method } = c.req;
      const { status } = c.res;
      metrics.httpDuration.observe({ method, route, status }, seconds);
      log.debug({ method, route, status, ms: Math.round(seconds * 1000) }, 'request');
    });
  };
}
