import type { Language } from '#contract/choices.ts';
import { exportConversation } from '#server/chat/conversations/export-conversation.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { listAllConversationFiles } from '#server/files/message-files/list-conversation-files.ts';
import { pathOf } from './compose-uploads.ts';

/** A conversation as a file whose links lead to its files; one that was deleted since the list was read is empty. */
export async function* exportConversationWithFiles(
  deps: Pick<Deps, 'database' | 'clock'>,
  userId: string,
  id: string,
  query: { format: 'md' | 'json'; language: Language },
): AsyncGenerator<string> {
  try {
    const paths = new Map<string, string>();
    for await (const file of listAllConversationFiles(deps, userId, id)) paths.set(file.id, pathOf(file));
    const linkOf = (fileId: string) => writeLink(`../${paths.get(fileId) ?? `files/${fileId}`}`);
    yield* (await exportConversation(deps, userId, id, { ...query, branch: null, linkOf })).pieces;
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not_found')) throw error;
  }
}

/** A path as the address of a link in Markdown. */
function writeLink(path: string): string {
  const address = path.split('/').map(encodeURIComponent).join('/');
  return address.replace(/[()]/g, (each) => (each === '(' ? '%28' : '%29'));
}
