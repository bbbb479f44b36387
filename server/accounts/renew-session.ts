import { randomBytes } from 'node:crypto';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Executor } from '#server/platform/database.ts';
import type { Actor } from './authenticate.ts';
import { writeSessionCookie } from './session-cookie.ts';
import { replaceToken } from './session-store.ts';

/** 256 bits of chance. */
export function createSessionToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Whoever sits at a session has just proved to be its user: the session is confirmed, and has another token (OWASP ASVS 5.0,
 * 7.2.4). Returns the `Set-Cookie` value; `publishNewToken` after the commit ends what is remembered of the former token. Throws
 * `unauthenticated` where the session ended meanwhile.
 */
export async function renewSession(
  tx: Executor,
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  actor: Actor,
): Promise<string> {
  const token = createSessionToken();
  const terms = await replaceToken(tx, actor, token, clock.databaseTime());
  if (!terms) throw new AppError('unauthenticated');
  return writeSessionCookie(config, token, terms.remembered ? terms.seconds : null);
}
