import type { Context } from 'hono';
import type { HttpEnv } from '#server/accounts/sessions/authenticate.ts';
import type { Config } from './config.ts';
import { clientIp, networkOf } from './platform/client-ip.ts';
import type { RequestLimits } from './platform/http/limit-requests.ts';

/**
 * What one user, or the network of a visitor, may ask of a process in a minute (docs/operations.md); the narrower ones follow
 * `CHANGE_LIMIT`.
 */
export function requestLimits({ limits, trustProxy }: Config): RequestLimits<HttpEnv> {
  const { requestsPerMinute, changesPerMinute } = limits;
  const share = (part: number) => Math.max(1, Math.floor(changesPerMinute / part));
  return {
    callerOf: (c) => c.get('actor')?.userId ?? visitorOf(c, trustProxy),
    requestsPerMinute,
    changesPerMinute,
    stricter: [
      { name: 'send', method: 'POST', path: /^\/api\/messages$/, perMinute: share(5) },
      { name: 'events', method: 'GET', path: /^\/api\/messages\/[^/]+\/events$/, perMinute: share(5) },
      { name: 'search', method: 'GET', path: /\/search$/, perMinute: share(5) },
      { name: 'console', method: 'GET', path: /^\/api\/admin\/(ledger|today)$/, perMinute: share(20) },
      { name: 'export', method: 'GET', path: /\/export(\/[^/]+)?$|\.csv$/, perMinute: share(20) },
      {
        name: 'password',
        method: 'POST',
        path: /^\/api\/auth\/(check|weigh)-password$/,
        perMinute: share(10),
      },
    ],
  };
}

function visitorOf(c: Context<HttpEnv>, trustProxy: number): string {
  const peer = c.env?.incoming?.socket.remoteAddress ?? '127.0.0.1';
  return networkOf(clientIp(peer, c.req.header('x-forwarded-for'), trustProxy));
}
