import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { type ConversationRow, selectConversations } from './store.ts';

export interface ConversationsPage {
  /** Newest first, by their last message sent. */
  conversations: ConversationRow[];
  nextCursor: string | null;
}

/** A page of the user's conversations. A cursor is the place of a row, so that what moves meanwhile shifts nothing. Throws `invalid_request`. */
export async function listConversations(
  { database }: Pick<Deps, 'database'>,
  userId: string,
  page: { cursor: string | null; limit: number },
): Promise<ConversationsPage> {
  const before = page.cursor === null ? null : readCursor(page.cursor);
  const rows = await selectConversations(database.sql, { userId, before, limit: page.limit + 1 });
  const conversations = rows.slice(0, page.limit);
  const last = conversations.at(-1);
  return { conversations, nextCursor: rows.length > page.limit && last ? `${last.micros}_${last.id}` : null };
}

function readCursor(cursor: string): { micros: string; id: string } {
  const found = /^(\d{1,18})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(cursor);
  const [, micros, id] = found ?? [];
  if (!micros || !id) throw new AppError('invalid_request', { field: 'cursor' });
  return { micros, id };
}
