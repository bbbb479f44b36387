import type { Deps } from '#server/deps.ts';
import { selectTitlesOf } from '../tree/conversation-store.ts';

/** The titles of the conversations that messages of the user are in, by message; of deleted ones there is none. */
export async function readTitles(
  { database: { sql } }: Pick<Deps, 'database'>,
  userId: string,
  messageIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (messageIds.length === 0) return new Map();
  const rows = await selectTitlesOf(sql, userId, messageIds);
  return new Map(rows.map(({ messageId, title }) => [messageId, title]));
}
