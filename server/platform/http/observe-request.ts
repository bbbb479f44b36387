import { randomUUID } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { requestContext, runAbout } from '../telemetry/request-context.ts';
import type { Span, Tracing } from '../telemetry/tracing.ts';

interface ObserveDeps {
  metrics: Metrics;
  log: Log;
  tracing: Tracing;
}

/** Names each request, for its answer and for the log, and measures and traces it under the pattern of its route. */
export function observeRequest({
  metrics,
  log,
  tracing,
}: ObserveDeps): MiddlewareHandler<{ Bindings: Partial<HttpBindings> }> {
  return async (c, next) => {
    const started = performance.now();
    const requestId = randomUUID();
    if (c.env?.outgoing) c.env.outgoing.setHeader('x-request-id', requestId);
    else c.header('x-request-id', requestId);
    const { method } = c.req;
    const start = { name: method, kind: 'server', traceparent: () => c.req.header('traceparent') } as const;
    const answer = async (span: Span) => {
      await next();
      const seconds = (performance.now() - started) / 1000;
      const route = matchedRoutes(c).find((one) => one.method !== 'ALL')?.path ?? 'none';
      const { status } = c.res;
      metrics.httpDuration.observe({ method, route, status }, seconds);
      log.debug({ method, route, status, ms: Math.round(seconds * 1000) }, 'request');
      describeRequest(span, { method, route, status, error: c.error });
    };
    await runAbout({ requestId }, () => tracing.trace(start, answer));
  };
}

interface Answered {
  method: string;
  route: string;
  status: number;
  error: Error | undefined;
}

/** By the names of OpenTelemetry's conventions; what the caller did wrong is no fault of the server. */
function describeRequest(span: Span, { method, route, status, error }: Answered): void {
  const hasRoute = route !== 'none';
  if (hasRoute) span.rename(`${method} ${route}`);
  span.set({
    'http.request.method': method,
    'http.route': hasRoute ? route : undefined,
    'http.response.status_code': status,
    'parley.request.id': requestContext()?.requestId,
    'parley.message.id': requestContext()?.messageId,
  });
  if (status >= 500) span.fail(error ?? status);
}
