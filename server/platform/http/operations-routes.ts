import { timingSafeEqual } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { AppError } from '#server/errors.ts';
import { isLoopbackIp } from '../client-ip.ts';
import type { Metrics } from '../metrics.ts';
import { isLoopbackName } from '../public-url.ts';

export interface OperationsOptions {
  metrics: Metrics;
  /** Bearer token of `/metrics`; null: only programs on this machine may read it, under its own names, and none through a proxy. */
  metricsToken: string | null;
  trustProxy: number;
  /** Whether requests can be served now; may reject. */
  isReady(): Promise<boolean>;
}

type Env = { Bindings: Partial<HttpBindings> };

const READY_TIMEOUT_MS = 2000;

/** `/healthz`, `/readyz` and `/metrics`, for those who run the product. */
export function operationsRoutes(options: OperationsOptions) {
  return new Hono<Env>()
    .get('/healthz', (c) => c.json({ status: 'ok' }))
    .get('/readyz', async (c) => {
      const ready = await Promise.race([options.isReady(), timeout(READY_TIMEOUT_MS)]).catch(() => false);
      return ready ? c.json({ status: 'ready' }) : c.json({ status: 'unavailable' }, 503);
    })
    .get('/metrics', async (c) => {
      const isAllowed = options.metricsToken
        ? hasToken(c.req.header('authorization'), options.metricsToken)
        : options.trustProxy === 0 && isFromHere(c);
      if (!isAllowed) throw new AppError('not_found');
      const { registry } = options.metrics;
      return c.body(await registry.metrics(), 200, { 'content-type': registry.contentType });
    });
}

/** Whether a program of this machine sent it to an address of this machine: a page whose own name leads here has that name in `Host`. */
function isFromHere(c: Context<Env>): boolean {
  const host = URL.parse(`http://${c.req.header('host')}`)?.hostname ?? '';
  const peer = c.env?.incoming?.socket.remoteAddress ?? '';
  return (
    isLoopbackIp(peer) &&
    isLoopbackName(host) &&
    !c.req.header('x-forwarded-for') &&
    !c.req.header('forwarded')
  );
}

function hasToken(authorization: string | undefined, token: string): boolean {
  const given = Buffer.from(authorization ?? '');
  const expected = Buffer.from(`Bearer ${token}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function timeout(ms: number): Promise<false> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), ms).unref();
  });
}
