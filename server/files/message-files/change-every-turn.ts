import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { type FileRow, updateEveryTurn } from '../state/file-store.ts';

/** Says whether a file is read again in each turn of its conversation. Throws `not_found`. */
export async function changeEveryTurn(
  { database }: Pick<Deps, 'database'>,
  userId: string,
  id: string,
  everyTurn: boolean,
): Promise<FileRow> {
  const changed = await updateEveryTurn(database.sql, userId, id, everyTurn);
  if (!changed) throw new AppError('not_found');
  return changed;
}
