import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { type FileRow, findFile } from './file-store.ts';

/** One file of the user; null where there is none, or its conversation is deleted. */
export function findOwnFile(
  { database }: Pick<Deps, 'database'>,
  userId: string,
  id: string,
): Promise<FileRow | null> {
  return findFile(database.sql, userId, id);
}

/** The same where it must be there. Throws `not_found`. */
export async function readOwnFile(
  deps: Pick<Deps, 'database'>,
  userId: string,
  id: string,
): Promise<FileRow> {
  const found = await findOwnFile(deps, userId, id);
  if (!found) throw new AppError('not_found');
  return found;
}

/** A file of the user that can be shown. Throws `not_found`, `file_not_ready` while it is uploaded or read, and what was wrong with it. */
export async function readReadyFile(
  deps: Pick<Deps, 'database'>,
  userId: string,
  id: string,
): Promise<FileRow> {
  const found = await readOwnFile(deps, userId, id);
  requireReady(found);
  return found;
}

/** Throws `file_not_ready` while a file is uploaded or read, and the code of what was wrong with it. */
export function requireReady({ state, errorCode, name }: FileRow): void {
  if (state === 'failed') throw new AppError(errorCode ?? 'internal', { name });
  if (state !== 'ready') throw new AppError('file_not_ready', { name });
}
