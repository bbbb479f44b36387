import type { Executor } from '#server/platform/database.ts';
import { type ConversationRow, conversationColumns } from '../conversation-store.ts';
import { slotsOfWords } from './rules.ts';

/** Has search look again at every ended message of a conversation. */
export async function queueConversation(sql: Executor, conversationId: string): Promise<void> {
  await sql`
    insert into search_queue select id from messages where conversation_id = ${conversationId} and status <> 'running'
    on conflict do nothing`;
}

/** Characters of a message that are searched: far above what models answer, far below what may be stored. */
export const SEARCHED = 100_000;

export interface Unindexed {
  id: string;
  content: string;
  response: string;
}

/** Takes at most `limit` messages off the queue, and gives back those that are searched: of kept conversations. */
export async function takeQueued(
  sql: Executor,
  limit: number,
): Promise<{ count: number; messages: Unindexed[] }> {
  const taken = await sql<{ id: string }[]>`
    delete from search_queue where message_id = any (array(
      select message_id from search_queue limit ${limit} for update skip locked)) returning message_id as id`;
  if (taken.length === 0) return { count: 0, messages: [] };
  const messages = await sql<Unindexed[]>`
    select m.id, m.content, m.response
      from messages m join conversations c on c.id = m.conversation_id
     where m.id = any(${taken.map(({ id }) => id)}::uuid[]) and m.status <> 'running' and not c.is_temporary`;
  return { count: taken.length, messages };
}

export interface SearchedText {
  /** Of the message. */
  id: string;
  /** Folded. */
  body: string;
  /** What it is found by (`slotsOfText`). */
  slots: number[];
}

/** Stores what is searched of some messages. A message that is gone meanwhile is left out. */
export async function insertTexts(sql: Executor, texts: SearchedText[]): Promise<void> {
  await sql`
    insert into search_texts (message_id, user_id, conversation_id, sent_at, body, slots)
    select m.id, m.user_id, m.conversation_id, m.created_at, t.body, t.slots::smallint[]
      from unnest(${texts.map(({ id }) => id)}::uuid[], ${texts.map(({ body }) => body)}::text[],
                  ${texts.map(({ slots }) => `{${slots.join(',')}}`)}::text[]) as t (id, body, slots)
      join messages m on m.id = t.id order by m.id for key share of m
    on conflict (message_id) do update set body = excluded.body, slots = excluded.slots`;
}

/** Folded words, all of which must occur. */
export interface Words {
  userId: string;
  words: string[];
}

export type TitleHit = ConversationRow & { place: string };

/** Conversations of the user whose title has all of the words, newest first, those after a place only. */
export async function selectTitles(
  sql: Executor,
  { userId, words }: Words,
  page: { before: Place | null; limit: number },
): Promise<TitleHit[]> {
  return sql<TitleHit[]>`
    select ${conversationColumns(sql)}, (extract(epoch from c.updated_at) * 1000000)::bigint::text as place
      from conversations c
     where c.user_id = ${userId} and c.deleted_at is null and not c.is_temporary
       and (select bool_and(strpos(c.folded_title, w) > 0) from unnest(${words}::text[]) w)
       ${page.before ? sql`and (c.updated_at, c.id) < ${placed(sql, page.before)}` : sql``}
     order by c.updated_at desc, c.id desc limit ${page.limit}`;
}

/** A moment in microseconds since 1970 and an id: where a row stands in an order by time. */
export interface Place {
  micros: string;
  id: string;
}

function placed(sql: Executor, { micros, id }: Place) {
  return sql`(timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond', ${id}::uuid)`;
}

export interface TextHit {
  messageId: string;
  place: string;
}

/** Looks through the newest `depth` texts of the user, one after the other; `reached` is the last one looked at, null at the end. */
export async function scanTexts(
  sql: Executor,
  { userId, words }: Words,
  page: { before: Place | null; depth: number },
): Promise<{ hits: TextHit[]; reached: Place | null }> {
  const rows = await sql<(TextHit & { isHit: boolean })[]>`
    select t.message_id as "messageId", (extract(epoch from t.sent_at) * 1000000)::bigint::text as place,
           (select bool_and(strpos(t.body, w) > 0) from unnest(${words}::text[]) w) and c.deleted_at is null as "isHit"
      from (select * from search_texts where user_id = ${userId}
             ${page.before ? sql`and (sent_at, message_id) < ${placed(sql, page.before)}` : sql``}
             order by sent_at desc, message_id desc limit ${page.depth}) t
      join conversations c on c.id = t.conversation_id
     order by t.sent_at desc, t.message_id desc`;
  const last = rows.at(-1);
  const isEnd = rows.length < page.depth || !last;
  return {
    hits: rows.filter(({ isHit }) => isHit),
    reached: isEnd ? null : { micros: last.place, id: last.messageId },
  };
}

/** The newest texts of the user that have all of the words, found by index, those after a place only. */
export async function findTexts(
  sql: Executor,
  { userId, words }: Words,
  page: { before: Place | null; limit: number },
): Promise<TextHit[]> {
  return sql<TextHit[]>`
    with found as materialized (
      select message_id, sent_at from search_texts t
       where search_keys(t.user_id, t.slots) @> search_keys(${userId}, ${slotsOfWords(words)}::smallint[])
         ${page.before ? sql`and (t.sent_at, t.message_id) < ${placed(sql, page.before)}` : sql``})
    select f.message_id as "messageId", (extract(epoch from f.sent_at) * 1000000)::bigint::text as place
      from (select * from found order by sent_at desc, message_id desc) f
      join lateral (
        select from search_texts t join conversations c on c.id = t.conversation_id
         where t.message_id = f.message_id and t.user_id = ${userId} and c.deleted_at is null
           and (select bool_and(strpos(t.body, w) > 0) from unnest(${words}::text[]) w)) t on true
     order by f.sent_at desc, f.message_id desc limit ${page.limit}`;
}

export type FoundMessage = {
  messageId: string;
  content: string;
  response: string;
  sentAt: Date;
} & ConversationRow;

/** What is shown of messages that were found, in any order. */
export async function selectFound(sql: Executor, userId: string, ids: string[]): Promise<FoundMessage[]> {
  return sql<FoundMessage[]>`
    select m.id as "messageId", left(m.content, ${SEARCHED}) as content, left(m.response, ${SEARCHED}) as response, m.created_at as "sentAt", ${conversationColumns(sql)}
      from messages m join conversations c on c.id = m.conversation_id
     where m.id = any(${ids}::uuid[]) and m.user_id = ${userId}`;
}
