import type { Language } from '#contract/choices.ts';
import { listAllConversations } from '#server/chat/conversations/list-all-conversations.ts';
import { fileNameOf } from '#server/chat/conversations/present-markdown.ts';
import type { Deps } from '#server/deps.ts';
import type { ArchiveFile } from './compose-uploads.ts';
import { exportConversationWithFiles } from './export-conversation-with-files.ts';

/** The user's conversations that are not deleted, each as Markdown and as JSON. */
export async function* composeConversations(
  deps: Pick<Deps, 'database' | 'clock'>,
  userId: string,
  language: Language,
): AsyncGenerator<ArchiveFile> {
  for await (const { id, title, createdAt } of listAllConversations(deps, userId)) {
    const day = createdAt.toISOString().slice(0, 10);
    for (const format of ['md', 'json'] as const) {
      // The id before the title: a long one is cut, and two of one name would be one file.
      const name = fileNameOf(`${day} ${id.slice(-8)} ${title}`, format);
      yield {
        name: `conversations/${name}`,
        pieces: exportConversationWithFiles(deps, userId, id, { format, language }),
      };
    }
  }
}
