import { readTier } from '#server/billing/state/read-subscription.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { sumBytes } from '../state/file-store.ts';
import { EXPIRY_MS } from './upload-rules.ts';
import { countUnnamed, insertUpload, lockUploader, type NewUpload } from './upload-store.ts';

/** Files of one user that wait for a message. */
const UNNAMED_MAX = 200;
const MEGABYTE = 1_048_576;

/**
 * Begins the upload of a file of `bytes` bytes; they count for the user's storage from now on. Throws `file_empty`,
 * `file_too_large`, `file_storage_full`, `too_many_uploads`.
 */
export async function createUpload(
  deps: Pick<Deps, 'config' | 'database' | 'clock' | 'storages'>,
  userId: string,
  { name, bytes }: { name: string; bytes: number },
): Promise<NewUpload> {
  const { config, database, clock, storages } = deps;
  const { limitBytes, quotas } = config.files;
  if (bytes === 0) throw new AppError('file_empty', { name });
  if (bytes > limitBytes) throw new AppError('file_too_large', { name, limit: limitBytes / MEGABYTE });
  const quota = quotas[await readTier(deps, userId)];
  const createdAt = clock.now();
  const expiresAt = new Date(createdAt.getTime() + EXPIRY_MS);
  const upload = { id: newId(), userId, name, bytes, storage: storages.current.kind, createdAt, expiresAt };
  await database.sql.begin(async (tx) => {
    await lockUploader(tx, userId);
    if ((await countUnnamed(tx, userId)) >= UNNAMED_MAX) throw new AppError('too_many_uploads');
    if ((await sumBytes(tx, userId)) + bytes > quota)
      throw new AppError('file_storage_full', { limit: quota / MEGABYTE });
    await insertUpload(tx, upload);
  });
  return upload;
}
