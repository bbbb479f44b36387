import type { UpdateConversation } from '#contract/chat.ts';
import { MAX_TITLE } from '#contract/limits.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import {
  type ConversationChange,
  type ConversationRow,
  lockTemporary,
  updateConversationRow,
} from '../message-store/conversation-store.ts';
import { presentConversation } from '../message-store/present.ts';
import { publishConversation } from '../message-store/publish-news.ts';
import { cleanTitle } from '../message-store/rules.ts';
import { queueConversation } from '../search/search-store.ts';
import { foldText } from '../search/slot-rules.ts';

/**
 * Renames, pins, archives or keeps a conversation of the user, and publishes it to every tab. Throws `not_found`, and `invalid_request`
 * for a title that is empty or too long, or when it shall be pinned and archived at once.
 */
export async function changeConversation(
  { database, clock, bus }: Pick<Deps, 'database' | 'clock' | 'bus'>,
  userId: string,
  id: string,
  wish: UpdateConversation,
): Promise<ConversationRow> {
  const change = changeOf(wish);
  const conversation = await database.sql.begin(async (sql) => {
    const isNews = wish.temporary === false && (await lockTemporary(sql, userId, id));
    const row = await updateConversationRow(sql, userId, id, change, clock.databaseTime());
    if (isNews) await queueConversation(sql, id);
    return row;
  });
  if (!conversation) throw new AppError('not_found');
  publishConversation(bus, userId, presentConversation(conversation));
  return conversation;
}

function changeOf({ title: wished, pinned, archived, temporary }: UpdateConversation): ConversationChange {
  const title = wished === undefined ? null : cleanTitle(wished);
  if (title === '' || (title && title.length > MAX_TITLE)) {
    throw new AppError('invalid_request', { field: 'title' });
  }
  if (pinned && archived) throw new AppError('invalid_request', { field: 'archived' });
  return {
    title,
    foldedTitle: title && foldText(title),
    isPinned: archived ? false : (pinned ?? null),
    isArchived: pinned ? false : (archived ?? null),
    isTemporary: temporary ?? null,
  };
}
