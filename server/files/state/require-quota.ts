import { MEGABYTE } from '#contract/limits.ts';
import { readTier } from '#server/billing/state/read-subscription.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { sumBytes } from './file-store.ts';

/** Throws `file_empty` or `file_too_large` for a length in bytes that no file may have. */
export function requireAllowedSize(
  { files: { limitBytes } }: Pick<Deps['config'], 'files'>,
  { name, bytes }: { name: string; bytes: number },
): void {
  if (bytes === 0) throw new AppError('file_empty', { name });
  if (bytes > limitBytes) throw new AppError('file_too_large', { name, limit: limitBytes / MEGABYTE });
}

/** Bytes that the user's files may take, by their plan. */
export async function readQuota(
  deps: Pick<Deps, 'config' | 'database' | 'clock'>,
  userId: string,
): Promise<number> {
  return deps.config.files.quotas[await readTier(deps, userId)];
}

/** Throws `file_storage_full` where `bytes` more bytes are more than the user's files may take. */
export async function requireQuota(
  sql: Executor,
  userId: string,
  bytes: number,
  quota: number,
): Promise<void> {
  if ((await sumBytes(sql, userId)) + bytes > quota)
    throw new AppError('file_storage_full', { limit: quota / MEGABYTE });
}
