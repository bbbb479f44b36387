import type { Executor, Fragment } from '#server/platform/database/database.ts';
import { type ConversationRow, conversationColumns } from '../tree/conversation-store.ts';
import { slotsOfWords } from './slot-rules.ts';

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
  /** Of the files that its prompt shows by name, one behind the other; '' for none. */
  fileNames: string;
  response: string;
}

/** The `fileNames` of the message `m`: what the message itself has of its files. */
const fileNamesColumn = (sql: Executor) => sql`
  coalesce((select string_agg(part ->> 'name', ', ' order by n)
              from jsonb_array_elements(m.input -> 'parts') with ordinality as asked (part, n)), '') as "fileNames"`;

/** Messages that are to be made searchable. */
export function queuedMessages(sql: Executor): Fragment {
  return sql`from search_queue`;
}

/** Takes at most `limit` messages off the queue, and gives back those that are searched: of kept conversations. */
export async function takeQueued(
  sql: Executor,
  limit: number,
): Promise<{ count: number; messages: Unindexed[] }> {
  const taken = await sql<{ id: string }[]>`
    delete from search_queue where message_id = any (array(
      select message_id ${queuedMessages(sql)} limit ${limit} for update skip locked)) returning message_id as id`;
  if (taken.length === 0) return { count: 0, messages: [] };
  const messages = await sql<Unindexed[]>`
    select m.id, m.content, ${fileNamesColumn(sql)}, m.response
      from messages m join conversations c on c.id = m.conversation_id
     where m.id = any(${taken.map(({ id }) => id)}::uuid[]) and m.status <> 'running' and not c.is_temporary`;
  return { count: taken.length, messages };
}

export interface SearchedText {
  /** Of the message. */
  id: string;
  /** Folded. */
  body: string;
}

/** A user with more texts than this is searched by index, all others text by text (decision 48). */
export const SCANNED_TEXTS = 1_000;

/**
 * Stores what is searched of some messages, and counts it for their users. A message that is gone meanwhile is left out.
 * Returns the ids of those whose users have an index, where they belong too.
 */
export async function insertTexts(sql: Executor, texts: SearchedText[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    with written as (
      insert into search_texts (message_id, user_id, conversation_id, sent_at, body)
      select m.id, m.user_id, m.conversation_id, m.created_at, t.body
        from unnest(${texts.map(({ id }) => id)}::uuid[], ${texts.map(({ body }) => body)}::text[]) as t (id, body)
        join messages m on m.id = t.id order by m.id for key share of m
      on conflict (message_id) do update set body = excluded.body
      returning message_id, user_id),
    counted as (
      insert into search_users as u (user_id, texts, mode)
      select user_id, count(*), case when count(*) > ${SCANNED_TEXTS} then 'filling' else 'scanned' end
        from written group by user_id order by user_id
      on conflict (user_id) do update
        set texts = u.texts + excluded.texts,
            mode = case when u.mode = 'scanned' and u.texts + excluded.texts > ${SCANNED_TEXTS} then 'filling' else u.mode end
      returning user_id, mode)
    select w.message_id as id from written w join counted c on c.user_id = w.user_id where c.mode <> 'scanned'`;
  return rows.map(({ id }) => id);
}

export interface IndexedText {
  /** Of the message. */
  id: string;
  /** What it is found by (`slotsOfText`). */
  slots: number[];
}

/** Puts stored texts into the index of their users. */
export async function insertIndexed(sql: Executor, texts: IndexedText[]): Promise<void> {
  await sql`
    insert into search_index (message_id, user_id, sent_at, slots)
    select t.message_id, t.user_id, t.sent_at, i.slots::smallint[]
      from unnest(${texts.map(({ id }) => id)}::uuid[], ${texts.map(({ slots }) => `{${slots.join(',')}}`)}::text[]) as i (id, slots)
      join search_texts t on t.message_id = i.id order by t.message_id for key share of t
    on conflict (message_id) do update set slots = excluded.slots`;
}

/** Locks a user whose index is being filled and that no other process fills now, or a certain one. Returns the id, or null. */
export async function lockFilling(sql: Executor, userId: string | null): Promise<string | null> {
  const [row] = await sql<{ userId: string }[]>`
    select user_id as "userId" from search_users where mode = 'filling' ${userId === null ? sql`` : sql`and user_id = ${userId}`}
     limit 1 for update skip locked`;
  return row?.userId ?? null;
}

/** The next texts of the user after a place, newest first, with those of them that are not in the index yet. */
export async function listUnindexed(
  sql: Executor,
  userId: string,
  page: { before: Place | null; limit: number },
): Promise<{ texts: SearchedText[]; reached: Place | null }> {
  const rows = await sql<{ id: string; place: string; body: string | null }[]>`
    select t.message_id as id, (extract(epoch from t.sent_at) * 1000000)::bigint::text as place,
           case when (select i.message_id from search_index i where i.message_id = t.message_id) is null then t.body end as body
      from search_texts t where t.user_id = ${userId}
       ${page.before ? sql`and (t.sent_at, t.message_id) < ${placed(sql, page.before)}` : sql``}
     order by t.sent_at desc, t.message_id desc limit ${page.limit}`;
  const last = rows.at(-1);
  return {
    texts: rows.flatMap(({ id, body }) => (body === null ? [] : [{ id, body }])),
    reached: rows.length < page.limit || !last ? null : { micros: last.place, id: last.id },
  };
}

/** From now on the user is searched by index. */
export async function endFilling(sql: Executor, userId: string): Promise<void> {
  await sql`update search_users set mode = 'indexed' where user_id = ${userId} and mode = 'filling'`;
}

/** Whether all texts of the user are in the index. */
export async function isIndexed(sql: Executor, userId: string): Promise<boolean> {
  const rows = await sql`select from search_users where user_id = ${userId} and mode = 'indexed'`;
  return rows.length > 0;
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

function placed(sql: Executor, place: Place) {
  return sql`(${momentOfPlace(sql, place)}, ${place.id}::uuid)`;
}

function momentOfPlace(sql: Executor, { micros }: Place) {
  return sql`timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond'`;
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

/** The newest texts of an indexed user after a place that have all of the words. */
export async function findTexts(
  sql: Executor,
  { userId, words }: Words,
  page: { before: Place; limit: number },
): Promise<TextHit[]> {
  return sql<TextHit[]>`
    select message_id as "messageId", (extract(epoch from sent_at) * 1000000)::bigint::text as place
      from find_texts(${userId}, ${slotsOfWords(words)}::smallint[], ${words}::text[],
                      ${momentOfPlace(sql, page.before)}, ${page.before.id}, ${page.limit}::int)`;
}

export type FoundMessage = {
  messageId: string;
  content: string;
  fileNames: string;
  response: string;
  sentAt: Date;
} & ConversationRow;

/** What is shown of messages that were found, in any order. */
export async function selectFound(sql: Executor, userId: string, ids: string[]): Promise<FoundMessage[]> {
  return sql<FoundMessage[]>`
    select m.id as "messageId", left(m.content, ${SEARCHED}) as content, ${fileNamesColumn(sql)},
           left(m.response, ${SEARCHED}) as response, m.created_at as "sentAt", ${conversationColumns(sql)}
      from messages m join conversations c on c.id = m.conversation_id
     where m.id = any(${ids}::uuid[]) and m.user_id = ${userId}`;
}
