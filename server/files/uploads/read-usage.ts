import type { FileUsage } from '#contract/message/files.ts';
import type { Deps } from '#server/deps.ts';
import { sumBytes } from '../state/file-store.ts';
import { readQuota } from '../state/require-quota.ts';

/** What the user's files take, and what they may take. */
export async function readUsage(
  deps: Pick<Deps, 'config' | 'database' | 'clock'>,
  userId: string,
): Promise<FileUsage> {
  const { limitBytes, perMessage } = deps.config.files;
  return {
    bytes: await sumBytes(deps.database.sql, userId),
    quota: await readQuota(deps, userId),
    fileLimit: limitBytes,
    perMessage,
  };
}
