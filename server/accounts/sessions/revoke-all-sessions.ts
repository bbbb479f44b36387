import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { lockUser } from '../users/access-store.ts';
import { endOtherAccess } from './change-credential.ts';
import { publishAccessEnd } from './publish-access-end.ts';

/**
 * Ends every session of a user, by hand. `record` notes it in the same transaction. Throws `not_found` for an account that is
 * deleted, or is being so.
 */
export async function revokeAllSessions(
  { database, bus }: Pick<Deps, 'database' | 'bus'>,
  userId: string,
  record: (tx: Executor, email: string) => Promise<unknown>,
): Promise<void> {
  const ended = await database.sql.begin(async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user) throw new AppError('not_found');
    await record(tx, user.email);
    return endOtherAccess(tx, userId, null);
  });
  publishAccessEnd(bus, userId, { sessions: ended, keys: [] });
}
