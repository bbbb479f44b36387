import type { Deps } from '#server/deps.ts';
import { type ConversationRow, unmarkDeleted } from '../message-store/conversation-store.ts';
import { presentConversation } from '../message-store/present.ts';
import { publishConversation } from '../message-store/publish-news.ts';
import { UNDO_MS } from '../message-store/rules.ts';
import { readConversation } from './read-conversation.ts';

/** Brings back a conversation that the user deleted a moment ago; one that is there stays. Throws `not_found`. */
export async function restoreConversation(
  deps: Pick<Deps, 'database' | 'clock' | 'bus'>,
  userId: string,
  id: string,
): Promise<ConversationRow> {
  const { database, clock, bus } = deps;
  const restored = await unmarkDeleted(database.sql, userId, id, UNDO_MS, clock.databaseTime());
  if (!restored) return readConversation(deps, userId, id);
  publishConversation(bus, userId, presentConversation(restored));
  return restored;
}
