import type { ChargedMessage, StatementReads } from '#server/credits/read-statement.ts';
import type { Deps } from '#server/deps.ts';
import { selectChargedMessages } from '../tree/conversation-store.ts';

/** What the statement says of messages of the user, by their ids; of those in deleted conversations nothing. */
export async function listChargedMessages(
  { database: { sql } }: Pick<Deps, 'database'>,
  userId: string,
  messageIds: readonly string[],
): Promise<ReadonlyMap<string, ChargedMessage>> {
  if (messageIds.length === 0) return new Map();
  const rows = await selectChargedMessages(sql, userId, messageIds);
  return new Map(rows.map(({ messageId, ...message }) => [messageId, message]));
}

/** What the statement asks of the chat. */
export function statementReads(deps: Pick<Deps, 'database'>): StatementReads {
  return { listMessages: (userId, messageIds) => listChargedMessages(deps, userId, messageIds) };
}
