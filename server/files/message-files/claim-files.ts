import { AppError } from '#server/errors.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { bindFiles, type FileRow, lockFiles } from '../state/file-store.ts';
import { requireReady } from '../state/read-own-file.ts';

/**
 * Gives files to a conversation, within the transaction that sent the message which names them, at `at`; the conversation is there. Files of
 * the same conversation may be named again. Returns them in the order of `fileIds`. Throws `too_many_files`; `file_deleted` for
 * one that is gone, another user's or another conversation's; `file_not_ready`, and the code of what was wrong with it.
 */
export async function claimFiles(
  tx: Executor,
  userId: string,
  conversationId: string,
  fileIds: readonly string[],
  { perMessage, at }: { perMessage: number; at: Date },
): Promise<FileRow[]> {
  const ids = [...new Set(fileIds)];
  if (ids.length > perMessage) throw new AppError('too_many_files', { limit: perMessage });
  if (ids.length === 0) return [];
  const found = new Map((await lockFiles(tx, userId, ids)).map((file) => [file.id, file]));
  const files = ids.map((id) => {
    const file = found.get(id);
    const isFree = file && (file.conversationId ?? conversationId) === conversationId;
    if (!isFree) throw new AppError('file_deleted', { name: '', fileId: id });
    requireReady(file);
    return file;
  });
  await bindFiles(tx, userId, conversationId, ids, at);
  return files;
}
