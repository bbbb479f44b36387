import { type Executor, type Fragment, microsOf } from '#server/platform/database/database.ts';
import { type ConversationRow, conversationColumns } from '../message-store/conversation-store.ts';
import { MAX_SEARCHED, slotsOfWords } from './slot-rules.ts';

/** Has search look again at every ended message of a conversation. */
export async function queueConversation(sql: Executor, conversationId: string): Promise<void> {
  await sql`
    insert into search_queue select id from messages where conversation_id = ${conversationId} and status <> 'running'
    on conflict do nothing`;
}

/** The names of the files that the prompt of the message `m` shows, one behind the other; '' for none. */
const fileNames = (sql: Executor) => sql`
  coalesce((select string_agg(part ->> 'name', ', ' order by n)
              from jsonb_array_elements(m.input -> 'parts') with ordinality as asked (part, n)), '')`;

/** What is searched of the message `m`: what was said, the names of its files, and the answer. */
const saidColumn = (sql: Executor) => sql`
  left(m.content || ' ' || ${fileNames(sql)} || ' ' || m.response, ${MAX_SEARCHED})`;

/** Messages that are to be made searchable. */
export function queuedMessages(sql: Executor): Fragment {
  return sql`from search_queue`;
}

/** Takes at most `limit` messages off the queue. Returns their ids. */
export async function takeQueued(sql: Executor, limit: number): Promise<string[]> {
  const taken = await sql<{ id: string }[]>`
    delete from search_queue where message_id = any (array(
      select message_id ${queuedMessages(sql)} limit ${limit} for update skip locked)) returning message_id as id`;
  return taken.map(({ id }) => id);
}

/**
 * A user with more texts than this has them stored and indexed; those of all others are read from their messages (decision 126). The
 * modes of `search_users`: `read`; `storing`, still read while the texts are being stored; `indexed`. Former versions left `scanned` and
 * `filling`, which are treated as `read` and `storing`.
 */
export const READ_TEXTS = 1_000;
/** A text counts once for each so many bytes begun. */
const COUNTED_BYTES = 2_000;

/**
 * Counts ended messages of kept conversations for their users. Returns the ids of those whose texts are to be stored. User rows
 * stay locked until commit, so a text not stored here is seen by whoever stores the user's other texts.
 */
export async function countTexts(sql: Executor, ids: string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    with ended as (
      select m.id, m.user_id, 1 + (octet_length(m.content) + octet_length(m.response)) / ${COUNTED_BYTES}::int as texts
        from messages m join conversations c on c.id = m.conversation_id
       where m.id = any(${ids}::uuid[]) and m.status <> 'running' and not c.is_temporary),
    counted as (
      insert into search_users as u (user_id, texts, mode)
      select user_id, sum(texts), case when sum(texts) > ${READ_TEXTS} then 'storing' else 'read' end
        from ended group by user_id order by user_id
      on conflict (user_id) do update
        set texts = u.texts + excluded.texts,
            mode = case when u.mode not in ('read', 'scanned') then u.mode
                        when u.texts + excluded.texts > ${READ_TEXTS} then 'storing' else 'read' end
      returning user_id, mode)
    select e.id from ended e join counted c on c.user_id = e.user_id where c.mode <> 'read'`;
  return rows.map(({ id }) => id);
}

/** What is searched of ended messages, in any order. */
export async function selectSaid(sql: Executor, ids: string[]): Promise<{ id: string; said: string }[]> {
  return sql<{ id: string; said: string }[]>`
    select m.id, ${saidColumn(sql)} as said from messages m where m.id = any(${ids}::uuid[]) and m.status <> 'running'`;
}

export interface SearchedText {
  /** Of the message. */
  id: string;
  /** Folded. */
  body: string;
}

/** Stores what is searched of some messages. A message that is gone meanwhile is left out. */
export async function insertTexts(sql: Executor, texts: SearchedText[]): Promise<void> {
  await sql`
    insert into search_texts (message_id, user_id, conversation_id, sent_at, body)
    select m.id, m.user_id, m.conversation_id, m.created_at, t.body
      from unnest(${texts.map(({ id }) => id)}::uuid[], ${texts.map(({ body }) => body)}::text[]) as t (id, body)
      join messages m on m.id = t.id order by m.id for key share of m
    on conflict (message_id) do update set body = excluded.body`;
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

/** Locks a user whose texts are being stored and that no other process has now, or a certain one. Returns the id, or null. */
export async function lockStoring(sql: Executor, userId: string | null): Promise<string | null> {
  const [row] = await sql<{ userId: string }[]>`
    select user_id as "userId" from search_users
     where mode in ('storing', 'filling') ${userId === null ? sql`` : sql`and user_id = ${userId}`}
     limit 1 for update skip locked`;
  return row?.userId ?? null;
}

/** Which of some messages are in the index. */
export async function selectIndexed(sql: Executor, ids: string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select message_id as id from search_index where message_id = any(${ids}::uuid[])`;
  return rows.map(({ id }) => id);
}

/** Marks the user as indexed: search uses the index from now on. */
export async function endStoring(sql: Executor, userId: string): Promise<void> {
  await sql`update search_users set mode = 'indexed' where user_id = ${userId} and mode in ('storing', 'filling')`;
}

/** The first user after another, null: of all, for whom texts are stored; null when there is none. */
export async function nextStored(sql: Executor, after: string | null): Promise<string | null> {
  const [row] = await sql<{ userId: string }[]>`
    select user_id as "userId" from search_texts ${after === null ? sql`` : sql`where user_id > ${after}`}
     order by user_id limit 1`;
  return row?.userId ?? null;
}

/**
 * Deletes what is stored of a user whose messages are read. One whom a former version searched text by text becomes such a user,
 * or one whose texts are stored, by how many they are. Returns how many were deleted.
 */
export async function deleteReadTexts(sql: Executor, userId: string): Promise<number> {
  const [user] = await sql<{ mode: string }[]>`
    select mode from search_users where user_id = ${userId} and mode in ('read', 'scanned') for update`;
  if (!user) return 0;
  if (user.mode === 'scanned') {
    await sql`
      update search_users u set texts = s.texts, mode = case when s.texts > ${READ_TEXTS} then 'storing' else 'read' end
        from (select coalesce(sum(1 + octet_length(body) / ${COUNTED_BYTES}::int), 0) as texts
                from search_texts where user_id = ${userId}) s
       where u.user_id = ${userId}`;
  }
  const rows = await sql`
    delete from search_texts where message_id = any (array(
      select t.message_id from search_texts t join search_users u on u.user_id = t.user_id
       where t.user_id = ${userId} and u.mode = 'read' for update of t skip locked)) returning message_id`;
  return rows.length;
}

/** Whether all texts of the user are stored and in the index. */
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
    select ${conversationColumns(sql)}, ${microsOf(sql, sql`c.updated_at`)} as place
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

/** The newest messages of the user's kept conversations after a place, of deleted ones too. */
export async function listMessages(
  sql: Executor,
  userId: string,
  page: { before: Place | null; limit: number },
): Promise<TextHit[]> {
  return sql<TextHit[]>`
    select id as "messageId", ${microsOf(sql, sql`created_at`)} as place from ${newestMessages(sql, userId, page)} n
     order by created_at desc, id desc`;
}

/** The same with what search reads of them, without those of deleted conversations; null: the message has not ended. */
export async function readTexts(
  sql: Executor,
  userId: string,
  page: { before: Place | null; limit: number },
): Promise<(TextHit & { said: string | null })[]> {
  return sql<(TextHit & { said: string | null })[]>`
    select id as "messageId", ${microsOf(sql, sql`created_at`)} as place,
           (select ${saidColumn(sql)} from messages m where m.id = n.id and m.status <> 'running') as said
      from ${newestMessages(sql, userId, page, sql`and c.deleted_at is null`)} n order by created_at desc, id desc`;
}

/** Each conversation is asked by itself, so that there is one plan, whatever the planner guesses of one user. */
function newestMessages(
  sql: Executor,
  userId: string,
  { before, limit }: { before: Place | null; limit: number },
  which = sql``,
) {
  return sql`(
    select m.id, m.created_at from conversations c cross join lateral (
             select id, created_at from messages where conversation_id = c.id
              ${before ? sql`and (created_at, id) < ${placed(sql, before)}` : sql``}
              order by created_at desc, id desc limit ${limit}) m
     where c.user_id = ${userId} and not c.is_temporary ${which} order by m.created_at desc, m.id desc limit ${limit})`;
}

/** Looks through the newest `depth` stored texts of the user, one after the other; `reached` is the last one looked at, null at the end. */
export async function scanTexts(
  sql: Executor,
  { userId, words }: Words,
  page: { before: Place | null; depth: number },
): Promise<{ hits: TextHit[]; reached: Place | null }> {
  const rows = await sql<(TextHit & { isHit: boolean })[]>`
    select t.message_id as "messageId", ${microsOf(sql, sql`t.sent_at`)} as place,
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
    select message_id as "messageId", ${microsOf(sql, sql`sent_at`)} as place
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
    select m.id as "messageId", left(m.content, ${MAX_SEARCHED}) as content, ${fileNames(sql)} as "fileNames",
           left(m.response, ${MAX_SEARCHED}) as response, m.created_at as "sentAt", ${conversationColumns(sql)}
      from messages m join conversations c on c.id = m.conversation_id
     where m.id = any(${ids}::uuid[]) and m.user_id = ${userId}`;
}
