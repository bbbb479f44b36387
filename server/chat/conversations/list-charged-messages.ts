import type { StatementReads } from '#server/credits/read-statement.ts';
import type { Deps } from '#server/deps.ts';
import { selectChargedMessages } from '../message-store/conversation-store.ts';

/** Gives what the statement says of messages of a user, by their ids; of those in deleted conversations nothing. */
export function listChargedMessages({
  database: { sql },
}: Pick<Deps, 'database'>): StatementReads['listMessages'] {
  return async (userId, messageIds) => {
    if (messageIds.length === 0) return new Map();
    const rows = await selectChargedMessages(sql, userId, messageIds);
    return new Map(rows.map(({ messageId, ...message }) => [messageId, message]));
  };
}
