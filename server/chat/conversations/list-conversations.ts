import type { RunningAnswers } from '#contract/chat.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import {
  type ConversationRow,
  type PlacedConversation,
  type Section,
  selectConversations,
} from '../message-store/conversation-store.ts';
import { selectRunning } from '../message-store/store.ts';

export interface ConversationsPage {
  /** The pinned ones first, by when they were pinned; then the others by their newest message. */
  conversations: ConversationRow[];
  nextCursor: string | null;
}

interface Place {
  section: Section;
  before: { micros: string; id: string } | null;
}

/**
 * A page of the user's conversations, or of those in the archive. A cursor is the place of a row, so that what moves meanwhile
 * shifts nothing. Throws `invalid_request`.
 */
export async function listConversations(
  { database: { sql } }: Pick<Deps, 'database'>,
  userId: string,
  page: { cursor: string | null; limit: number; archived: boolean },
): Promise<ConversationsPage> {
  const wanted = page.limit + 1;
  const rows = await selectConversations(sql, { userId, ...placeOf(page), limit: wanted });
  const conversations = rows.slice(0, page.limit);
  const last = conversations.at(-1);
  return { conversations, nextCursor: rows.length > page.limit && last ? writeCursor(last) : null };
}

/** The answers being written for a user, with the conversations they are in; those of API keys are in none. */
export async function listRunning(
  { database: { sql } }: Pick<Deps, 'database'>,
  userId: string,
): Promise<RunningAnswers> {
  return { running: await selectRunning(sql, userId) };
}

function writeCursor({ section, micros, id }: PlacedConversation): string {
  return `${section === 'pinned' ? 'p' : ''}${micros}_${id}`;
}

function placeOf({ cursor, archived }: { cursor: string | null; archived: boolean }): Place {
  if (cursor === null) return { section: archived ? 'archived' : 'pinned', before: null };
  const found = /^(p?)(\d{1,18})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(cursor);
  const [, pinned, micros, id] = found ?? [];
  if (!micros || !id || (pinned && archived)) throw new AppError('invalid_request', { field: 'cursor' });
  const section = archived ? 'archived' : pinned ? 'pinned' : 'recent';
  return { section, before: { micros, id } };
}
