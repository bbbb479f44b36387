import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { readQuota, requireAllowedSize, requireQuota } from '../state/require-quota.ts';
import { EXPIRY_MS } from './upload-rules.ts';
import { countUnnamed, insertUpload, lockUserStorage, type NewUpload } from './upload-store.ts';

/** Files of one user that wait for a message. */
const MAX_UNNAMED = 200;

/**
 * Begins the upload of a file of `bytes` bytes; they count for the user's storage from now on. A picture is stored without the place
 * where it was taken, unless the user chose that it `keepsPlace`. Throws `file_empty`,
 * `file_too_large`, `file_storage_full`, `too_many_uploads`.
 */
export async function createUpload(
  deps: Pick<Deps, 'config' | 'database' | 'clock' | 'storages'>,
  userId: string,
  { name, bytes, keepsPlace }: Pick<NewUpload, 'name' | 'bytes' | 'keepsPlace'>,
): Promise<NewUpload> {
  const { database, clock, storages } = deps;
  requireAllowedSize(deps.config, { name, bytes });
  const quota = await readQuota(deps, userId);
  const createdAt = clock.now();
  const expiresAt = new Date(createdAt.getTime() + EXPIRY_MS);
  const upload = {
    id: newId(),
    userId,
    name,
    bytes,
    keepsPlace,
    storage: storages.current.kind,
    createdAt,
    expiresAt,
  };
  await database.sql.begin(async (tx) => {
    await lockUserStorage(tx, userId);
    if ((await countUnnamed(tx, userId)) >= MAX_UNNAMED) throw new AppError('too_many_uploads');
    await requireQuota(tx, userId, bytes, quota);
    await insertUpload(tx, upload);
  });
  return upload;
}
