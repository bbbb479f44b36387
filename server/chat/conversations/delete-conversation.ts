import type { DeletedConversation } from '#contract/chat.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { STOPS_TOPIC } from '../generation/generation.ts';
import { markDeleted } from '../message-store/conversation-store.ts';
import { publishDeleted } from '../message-store/publish-news.ts';
import { UNDO_MS } from '../message-store/rules.ts';
import { updateStopsRequested } from '../message-store/store.ts';

/**
 * Deletes a conversation of the user: at once for every reader, for good when the time for undo is over. What is being answered
 * in it is stopped, and paid for, as a stop is. Deleting again changes nothing. Throws `not_found`.
 */
export async function deleteConversation(
  { database: { sql }, clock, bus }: Pick<Deps, 'database' | 'clock' | 'bus'>,
  userId: string,
  id: string,
): Promise<DeletedConversation> {
  const deletedAt = await markDeleted(sql, userId, id, clock.databaseTime());
  if (!deletedAt) throw new AppError('not_found');
  const ids = await updateStopsRequested(sql, userId, id);
  if (ids.length > 0) bus.publish(STOPS_TOPIC, { ids });
  const deleted = { id, restorableUntil: deletedAt.getTime() + UNDO_MS };
  publishDeleted(bus, userId, deleted);
  return deleted;
}
