import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import {
  deleteDoomedFiles,
  deleteExpiredFiles,
  deleteFileRow,
  deleteSomeFiles,
} from '../state/file-store.ts';
import { findOwnFile } from '../state/read-own-file.ts';

/** Files in one transaction; each may have 20 MB. */
const AT_ONCE = 10;

/**
 * Deletes a file of the user with all that is kept of it; `isUnnamed`: only if no message has named it. Throws `not_found`, and
 * `conflict` for one that a message has.
 */
export async function deleteFile(
  { database }: Pick<Deps, 'database'>,
  userId: string,
  id: string,
  isUnnamed: boolean,
): Promise<void> {
  if (await deleteFileRow(database.sql, userId, id, isUnnamed)) return;
  const isThere = isUnnamed && (await findOwnFile({ database }, userId, id)) !== null;
  throw new AppError(isThere ? 'conflict' : 'not_found');
}

/** Deletes files that no message named, and uploads that were not finished, within a day of their beginning. */
export async function deleteUnnamedFiles({
  database,
  clock,
}: Pick<Deps, 'database' | 'clock'>): Promise<void> {
  while ((await deleteExpiredFiles(database.sql, clock.now(), AT_ONCE)) === AT_ONCE);
}

/** Deletes at most `limit` files of a user. Returns how many there were. */
export function deleteUserFiles(
  { database }: Pick<Deps, 'database'>,
  userId: string,
  limit: number,
): Promise<number> {
  return deleteSomeFiles(database.sql, userId, limit);
}

/** Deletes, in small steps, the files of conversations that were deleted longer than `undoMs` ago; the rows of these follow. */
export async function deleteConversationFiles(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  undoMs: number,
): Promise<void> {
  const step = () => deleteDoomedFiles(database.sql, { undoMs, limit: AT_ONCE, at: clock.databaseTime() });
  while ((await step()) === AT_ONCE);
}
