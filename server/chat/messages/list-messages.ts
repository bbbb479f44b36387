import type { StepPart, TablePart } from '#contract/message/parts.ts';
import type { BaseDeps } from '#server/base-deps.ts';
import { AppError } from '#server/errors.ts';
import { findConversation } from '../message-store/conversation-store.ts';
import { findMessage, findShown, type MessageRow, selectMessages } from '../message-store/store.ts';

export interface MessagesPage {
  /** Oldest first. */
  messages: MessageRow[];
  /** The message before which the next page ends; null when this page begins with the first. */
  nextCursor: string | null;
}

/** The newest `limit` messages of a conversation of the user that are older than the message `before`. Throws `not_found`. */
export async function listMessages(
  { database: { sql } }: Pick<BaseDeps, 'database'>,
  userId: string,
  page: { conversationId: string; before: string | null; limit: number },
): Promise<MessagesPage> {
  const rows = await selectMessages(sql, { userId, ...page, limit: page.limit + 1 });
  if (rows.length === 0 && !(await findConversation(sql, userId, page.conversationId))) {
    throw new AppError('not_found');
  }
  const messages = rows.slice(0, page.limit).reverse();
  return { messages, nextCursor: rows.length > page.limit ? (messages[0]?.id ?? null) : null };
}

/** One message of the user; null when there is none of that id. */
export function readMessage(
  { database }: Pick<BaseDeps, 'database'>,
  userId: string,
  id: string,
): Promise<MessageRow | null> {
  return findMessage(database.sql, userId, id);
}

/**
 * The step or the table of this number that the answer of a message has of a browser, while it runs and afterwards; null where there is
 * none.
 */
export function readShown(
  { database }: Pick<BaseDeps, 'database'>,
  userId: string,
  messageId: string,
  part: Pick<StepPart | TablePart, 'kind' | 'n'>,
): Promise<StepPart | TablePart | null> {
  return findShown(database.sql, userId, messageId, part);
}
