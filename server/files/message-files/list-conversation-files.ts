import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { type FileRow, selectConversationFiles, selectFiles } from '../state/file-store.ts';

const AT_ONCE = 100;

/** The files of a conversation of the user, oldest first: named by its messages, made for its answers, kept. Throws `not_found`. */
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
