import type { FileUsage } from '#contract/message/files.ts';
import { readTier } from '#server/billing/state/read-subscription.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { type FileRow, selectConversationFiles, selectFiles, sumBytes } from '../state/file-store.ts';

const AT_ONCE = 100;

/** The files that messages of a conversation of the user named, oldest first. Throws `not_found`. */
export async function listConversationFiles(
  { database }: Pick<Deps, 'database'>,
  userId: string,
  conversationId: string,
): Promise<FileRow[]> {
  const files = await selectConversationFiles(database.sql, userId, conversationId);
  if (!files) throw new AppError('not_found');
  return files;
}

/** All files of the user that were read, or could not be, by id. */
export async function* listAllFiles(
  { database }: Pick<Deps, 'database'>,
  userId: string,
): AsyncGenerator<FileRow> {
  for (let after: string | null = null; ; ) {
    const page: FileRow[] = await selectFiles(database.sql, userId, { after, limit: AT_ONCE });
    yield* page;
    if (page.length < AT_ONCE) return;
    after = page.at(-1)?.id ?? null;
  }
}

/** What the user's files take, and what they may take. */
export async function readUsage(
  deps: Pick<Deps, 'config' | 'database' | 'clock'>,
  userId: string,
): Promise<FileUsage> {
  const { limitBytes, perMessage, quotas } = deps.config.files;
  return {
    bytes: await sumBytes(deps.database.sql, userId),
    quota: quotas[await readTier(deps, userId)],
    fileLimit: limitBytes,
    perMessage,
  };
}
