import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { createSessionToken, writeSessionCookie } from '../secrets/session-cookie.ts';
import type { Actor } from './authenticate.ts';
import { lockOwnAccount } from './change-credential.ts';
import { publishNewToken } from './live-sessions.ts';
import { replaceToken } from './session-store.ts';

/**
 * The person at a session proves to be its user: uses the proof up by `redeem`, confirms the session and gives it another token
 * (OWASP ASVS 5.0, 7.2.4), in one transaction under the user's lock; the former token opens nothing from then on. Returns the
 * `Set-Cookie` value. Throws `unauthenticated` where the session ended meanwhile, which uses nothing up, and as `redeem`.
 */
export async function confirmSession(
  { config, database, clock, bus }: Pick<Deps, 'config' | 'database' | 'clock' | 'bus'>,
  actor: Actor,
  redeem: (tx: Executor) => Promise<void>,
): Promise<string> {
  const token = createSessionToken();
  const terms = await database.sql.begin(async (tx) => {
    await lockOwnAccount(tx, actor);
    await redeem(tx);
    return replaceToken(tx, actor, token, clock.databaseTime());
  });
  if (!terms) throw new AppError('unauthenticated');
  publishNewToken(bus, actor.userId, actor.sessionId);
  return writeSessionCookie(config, token, terms.remembered ? terms.seconds : null);
}
