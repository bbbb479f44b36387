import type { Deps } from '#server/deps.ts';
import { findMessage, type MessageRow } from './store.ts';

/** One message of the user; null when there is none of that id. */
export function readMessage(
  { database }: Pick<Deps, 'database'>,
  userId: string,
  id: string,
): Promise<MessageRow | null> {
  return findMessage(database.sql, userId, id);
}
