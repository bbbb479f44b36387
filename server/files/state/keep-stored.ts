import type { BaseDeps } from '#server/base-deps.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { isConnectionLost } from '#server/platform/database/database-errors.ts';
import type { StoredChunk } from '../storage/file-storage.ts';
import type { FileRow } from './file-store.ts';

export type StoreDeps = Pick<BaseDeps, 'database' | 'storages' | 'log'>;

/**
 * Writes the rows of chunks that were put into a storage, in one transaction. Where `write` answers null or throws, their objects are
 * deleted; where the connection was lost it is not known whether the rows are there, and the sweep decides.
 */
export async function keepStored<T>(
  deps: StoreDeps,
  storage: FileRow['storage'],
  chunks: readonly StoredChunk[],
  write: (tx: Executor) => Promise<T | null>,
): Promise<T | null> {
  try {
    const kept = (await deps.database.sql.begin(write)) as T | null;
    if (kept === null) await deleteObjects(deps, storage, chunks);
    return kept;
  } catch (error) {
    if (!isConnectionLost(error)) await deleteObjects(deps, storage, chunks);
    throw error;
  }
}

/** Never rejects: what fails here is found by the sweep. */
async function deleteObjects(
  { storages, log }: StoreDeps,
  storage: FileRow['storage'],
  chunks: readonly StoredChunk[],
): Promise<void> {
  const objects = chunks.flatMap(({ object }) => object ?? []);
  // Side by side: a store that is silent is waited for once, and not for each piece.
  const deleted = objects.map(async (object) => {
    await storages
      .of(storage)
      .delete(object)
      .catch((err) => log.warn({ err, object }, 'an object of no file stays until the sweep'));
  });
  await Promise.all(deleted);
}
