import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { newId } from '#server/platform/ids.ts';
import { type FileRow, findFile } from '../state/file-store.ts';
import { readQuota, requireAllowedSize, requireQuota } from '../state/require-quota.ts';
import { EXPIRY_MS, isRecentId } from './upload-rules.ts';
import { countUnnamed, insertUpload, lockUserStorage, type NewUpload } from './upload-store.ts';

/** Files of one user that wait for a message. */
const MAX_UNNAMED = 200;

interface AskedUpload extends Pick<NewUpload, 'name' | 'bytes' | 'keepsPlace'> {
  /** The id that its sender chose; null: none. */
  chosenId: string | null;
}

type BegunUpload = Pick<FileRow, 'id' | 'received' | 'expiresAt'>;

/**
 * Begins the upload of a file of `bytes` bytes; they count for the user's storage from now on. A picture is stored without the place
 * where it was taken, unless the user chose that it `keepsPlace`. Asked for again under the same `chosenId`, as where the answer was
 * lost, it is begun once; an id of another day is not taken. Throws `file_empty`, `file_too_large`, `file_storage_full`,
 * `too_many_uploads`, and `conflict` where the id is another file's, or was lately.
 */
export async function createUpload(
  deps: Pick<Deps, 'config' | 'database' | 'clock' | 'storages'>,
  userId: string,
  { name, bytes, keepsPlace, chosenId }: AskedUpload,
): Promise<BegunUpload> {
  const { database, clock, storages } = deps;
  requireAllowedSize(deps.config, { name, bytes });
  const quota = await readQuota(deps, userId);
  const createdAt = clock.now();
  const expiresAt = new Date(createdAt.getTime() + EXPIRY_MS);
  const upload = {
    id: chosenId !== null && isRecentId(chosenId, createdAt) ? chosenId : newId(),
    userId,
    name,
    bytes,
    keepsPlace,
    storage: storages.current.kind,
    createdAt,
    expiresAt,
  };
  return database.sql.begin(async (tx) => {
    await lockUserStorage(tx, userId);
    const begun = await findBegun(tx, upload);
    if (begun) return begun;
    if ((await countUnnamed(tx, userId)) >= MAX_UNNAMED) throw new AppError('too_many_uploads');
    await requireQuota(tx, userId, bytes, quota);
    if (!(await insertUpload(tx, upload))) throw new AppError('conflict');
    return { ...upload, received: 0 };
  });
}

/** The same upload, where it was begun before; null where no file of the user has its id. Throws `conflict` where another has. */
async function findBegun(tx: Executor, { id, userId, ...asked }: NewUpload): Promise<FileRow | null> {
  const found = await findFile(tx, userId, id);
  if (!found) return null;
  const isSame = (['name', 'bytes', 'keepsPlace'] as const).every((key) => found[key] === asked[key]);
  if (found.state !== 'uploading' || !isSame) throw new AppError('conflict');
  return found;
}
