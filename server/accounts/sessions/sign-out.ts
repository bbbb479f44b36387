import type { Deps } from '#server/deps.ts';
import { clearSessionCookies } from '../secrets/session-cookie.ts';
import type { Actor } from './authenticate.ts';
import { publishSignedOut } from './live-sessions.ts';
import { deleteSession } from './session-store.ts';

/** Ends the caller's session and notifies its open tabs; a visitor has nothing to end. Returns the `Set-Cookie` values that clear it. */
export async function signOut(
  { config, database, bus }: Pick<Deps, 'config' | 'database' | 'bus'>,
  actor: Actor | null,
): Promise<string[]> {
  if (actor) {
    await deleteSession(database.sql, actor.userId, actor.sessionId);
    publishSignedOut(bus, actor.userId, actor.sessionId);
  }
  return clearSessionCookies(config.publicUrl);
}
