import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Actor } from './authenticate.ts';
import { publishSignedOut } from './live-sessions.ts';
import { publishAccessEnd } from './publish-access-end.ts';
import { deleteOtherSessions, deleteSession } from './session-store.ts';

type RevokeDeps = Pick<Deps, 'database' | 'bus'>;

/** Signs one browser of the caller out, at once. Throws `not_found`, also for another user's. */
export async function revokeSession(
  { database, bus }: RevokeDeps,
  { userId }: Actor,
  id: string,
): Promise<void> {
  if (!(await deleteSession(database.sql, userId, id))) throw new AppError('not_found');
  publishSignedOut(bus, userId, id);
}

/** Signs every browser of the caller out but the one that asks. */
export async function revokeOtherSessions(
  { database, bus }: RevokeDeps,
  { userId, sessionId }: Actor,
): Promise<void> {
  const ended = await deleteOtherSessions(database.sql, userId, sessionId);
  publishAccessEnd(bus, userId, { sessions: ended, keys: [] });
}
