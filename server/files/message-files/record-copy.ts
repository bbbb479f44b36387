import { HOUR_MS } from '#contract/time.ts';
import type { BaseDeps } from '#server/base-deps.ts';
import { type FileCopy, insertCopyRemoval, type NewCopy, selectCopies, upsertCopy } from './copy-store.ts';

/** The copies that a provider keeps of files in a project, by the id of the file: those that last until `until` at least. */
export async function listCopies(
  { database }: Pick<BaseDeps, 'database'>,
  project: string,
  fileIds: readonly string[],
  until: Date,
): Promise<Map<string, FileCopy>> {
  const copies = await selectCopies(database.sql, project, fileIds, until);
  return new Map(copies.map((copy) => [copy.fileId, copy]));
}

/**
 * Has a copy that was just uploaded deleted in an hour, unless it is recorded before: what ends its answer, even the end of the process,
 * leaves none at the provider of which nobody knows.
 */
export function recordNewCopy(
  { database, clock }: Pick<BaseDeps, 'database' | 'clock'>,
  copy: Pick<FileCopy, 'project' | 'name'>,
): Promise<void> {
  return insertCopyRemoval(database.sql, copy, new Date(clock.now().getTime() + HOUR_MS));
}

/**
 * Records a copy that a provider keeps, so that it is deleted with its file; the one that it takes the place of is deleted an hour later,
 * when no question names it any more. False: the file is gone already, or another one has its id, and the copy is deleted.
 */
export function recordCopy({ database }: Pick<BaseDeps, 'database'>, copy: NewCopy): Promise<boolean> {
  return upsertCopy(database.sql, copy);
}
