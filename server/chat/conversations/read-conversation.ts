import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { type ConversationRow, findConversation } from '../message-store/conversation-store.ts';

/** One conversation of the user. Throws `not_found`. */
export async function readConversation(
  { database }: Pick<Deps, 'database'>,
  userId: string,
  id: string,
): Promise<ConversationRow> {
  const conversation = await findConversation(database.sql, userId, id);
  if (!conversation) throw new AppError('not_found');
  return conversation;
}
