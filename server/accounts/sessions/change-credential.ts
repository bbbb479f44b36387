import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { deleteResetLinks, deleteSteps, hasSession, lockUser } from '../users/access-store.ts';
import type { Actor } from './authenticate.ts';
import { publishAccessEnd } from './publish-access-end.ts';
import { deleteOtherSessions } from './session-store.ts';

/**
 * Changes what the caller signs in with: runs `work` in a transaction under the user's lock and ends what the former credential
 * had opened, as `endOtherAccess` says. Throws `unauthenticated` where the caller's session ended meanwhile, and as `work`.
 */
export async function changeCredential<T>(
  deps: Pick<Deps, 'database' | 'bus'>,
  { userId, sessionId }: Actor,
  work: (tx: Executor) => Promise<T>,
): Promise<T> {
  const { result, ended } = await deps.database.sql.begin(async (tx) => {
    await lockOwnAccount(tx, { userId, sessionId });
    return { result: await work(tx), ended: await endOtherAccess(tx, userId, sessionId) };
  });
  publishAccessEnd(deps.bus, userId, { sessions: ended, keys: [] });
  return result;
}

/**
 * Begins a transaction that adds a way in for the caller: locks the user, and makes sure under the lock that the session has not ended
 * meanwhile, as with a reset. Throws `unauthenticated`.
 */
export async function lockOwnAccount(tx: Executor, { userId, sessionId }: Actor): Promise<void> {
  await lockUser(tx, userId);
  if (!(await hasSession(tx, userId, sessionId))) throw new AppError('unauthenticated');
}

/**
 * A credential changed: ends every session of the user but `kept`, sign-ins that wait for their second step, and, where the mailbox is
 * proved, reset links that were mailed before. To be called under `lockUser`. Returns the sessions that ended; `publishAccessEnd` after
 * the commit ends their streams.
 */
export async function endOtherAccess(tx: Executor, userId: string, kept: string | null): Promise<string[]> {
  await deleteResetLinks(tx, userId);
  await deleteSteps(tx, userId);
  return deleteOtherSessions(tx, userId, kept);
}
