import type { Context } from 'hono';
import { authenticateKey, type KeyActor } from '#server/accounts/api-keys/authenticate-key.ts';
import type { HttpEnv } from '#server/accounts/sessions/authenticate.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { clientIp } from '#server/platform/client-ip.ts';
import { setHeader } from '#server/platform/http/set-header.ts';
import { noteAbout } from '#server/platform/telemetry/request-context.ts';

/**
 * Who calls, by the key alone; what is left of the minute's allowance goes into the headers. Throws as `authenticateKey`,
 * and `rate_limited`.
 */
export async function verifyKey(
  deps: Pick<Deps, 'config' | 'database' | 'clock'>,
  c: Context<HttpEnv>,
): Promise<KeyActor> {
  const peer = c.env?.incoming?.socket.remoteAddress ?? '127.0.0.1';
  const ip = clientIp(peer, c.req.header('x-forwarded-for'), deps.config.trustProxy);
  const { actor, wait } = await authenticateKey(deps, c.req.header('authorization'), ip);
  noteAbout({ userId: actor.userId });
  const { limit, remaining, reset } = actor.rate;
  setHeader(c, 'x-ratelimit-limit-requests', limit);
  setHeader(c, 'x-ratelimit-remaining-requests', remaining);
  setHeader(c, 'x-ratelimit-reset-requests', `${reset}s`);
  if (wait > 0) throw new AppError('rate_limited', { seconds: wait });
  return actor;
}
