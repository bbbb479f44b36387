import type { Deps } from '#server/deps.ts';
import { type ConversationRow, selectAllConversations } from '../message-store/conversation-store.ts';

const PAGE = 500;

/** Every conversation of a user that is not deleted, one after the other in no order that matters. */
export async function* listAllConversations(
  { database }: Pick<Deps, 'database'>,
  userId: string,
): AsyncGenerator<ConversationRow> {
  let after: string | null = null;
  do {
    const page: ConversationRow[] = await selectAllConversations(database.sql, {
      userId,
      after,
      limit: PAGE,
    });
    yield* page;
    after = page.length < PAGE ? null : (page.at(-1)?.id ?? null);
  } while (after !== null);
}
