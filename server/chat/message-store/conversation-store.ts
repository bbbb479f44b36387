import type { ChargedMessage } from '#server/credits/read-statement.ts';
import { type Executor, type Fragment, microsOf, momentOf } from '#server/platform/database/database.ts';

export interface ConversationRow {
  id: string;
  title: string;
  createdAt: Date;
  updatedAt: Date;
  pinnedAt: Date | null;
  archivedAt: Date | null;
  isTemporary: boolean;
}

/** The columns of a `ConversationRow`, of the table `c`. */
export const conversationColumns = (sql: Executor) => sql`
  c.id, c.title, c.created_at as "createdAt", c.updated_at as "updatedAt", c.pinned_at as "pinnedAt",
  c.archived_at as "archivedAt", c.is_temporary as "isTemporary"`;

/** One conversation of the user that is not deleted. */
export async function findConversation(
  sql: Executor,
  userId: string,
  id: string,
): Promise<ConversationRow | null> {
  const [row] = await sql<ConversationRow[]>`
    select ${conversationColumns(sql)} from conversations c
     where c.id = ${id} and c.user_id = ${userId} and c.deleted_at is null`;
  return row ?? null;
}

/** A part of the list with an order of its own: what is pinned by when it was, the rest by its newest message. */
export type Section = 'pinned' | 'recent' | 'archived';

export type PlacedConversation = ConversationRow & {
  section: Section;
  /** Its place in the order, in microseconds since 1970. */
  micros: string;
};

interface SectionPage {
  userId: string;
  section: Section;
  before: { micros: string; id: string } | null;
  limit: number;
}

/**
 * At most `limit` conversations of the user's list from a section on, those after `before` only. The recent ones follow the pinned ones, in
 * one statement: one that is pinned meanwhile stands in the list once.
 */
export async function selectConversations(sql: Executor, page: SectionPage): Promise<PlacedConversation[]> {
  if (page.section !== 'pinned') return sql<PlacedConversation[]>`${selectSection(sql, page)}`;
  return sql<PlacedConversation[]>`
    select * from ((${selectSection(sql, page)}) union all (${selectSection(sql, { ...page, section: 'recent', before: null })})) c
     order by section, micros::bigint desc, id desc limit ${page.limit}`;
}

function selectSection(sql: Executor, { userId, section, before, limit }: SectionPage): Fragment {
  const place = section === 'pinned' ? sql`c.pinned_at` : sql`c.updated_at`;
  const part = {
    pinned: sql`c.pinned_at is not null`,
    recent: sql`c.pinned_at is null and c.archived_at is null`,
    archived: sql`c.archived_at is not null`,
  }[section];
  const after = before
    ? sql`and (${place}, c.id) < (timestamptz 'epoch' + ${before.micros}::bigint * interval '1 microsecond', ${before.id}::uuid)`
    : sql``;
  return sql`
    select ${conversationColumns(sql)}, ${section}::text as section,
           ${microsOf(sql, place)} as micros
      from conversations c
     where c.user_id = ${userId} and ${part} and c.deleted_at is null and not c.is_temporary ${after}
     order by ${place} desc, c.id desc limit ${limit}`;
}

/** Null leaves a thing as it is. */
export interface ConversationChange {
  title: string | null;
  foldedTitle: string | null;
  isPinned: boolean | null;
  isArchived: boolean | null;
  isTemporary: false | null;
}

/** Changes a conversation of the user that is not deleted. What is pinned or archived already keeps its time. */
export async function updateConversationRow(
  sql: Executor,
  userId: string,
  id: string,
  change: ConversationChange,
  at: Date | null,
): Promise<ConversationRow | null> {
  const moment = momentOf(sql, at);
  const [row] = await sql<ConversationRow[]>`
    update conversations c
       set title = coalesce(${change.title}, c.title),
           folded_title = coalesce(${change.foldedTitle}, c.folded_title),
           title_source = case when ${change.title}::text is null then c.title_source else 'user' end,
           pinned_at = case ${change.isPinned}::boolean when true then coalesce(c.pinned_at, ${moment})
                            when false then null else c.pinned_at end,
           archived_at = case ${change.isArchived}::boolean when true then coalesce(c.archived_at, ${moment})
                              when false then null else c.archived_at end,
           is_temporary = coalesce(${change.isTemporary}, c.is_temporary)
     where c.id = ${id} and c.user_id = ${userId} and c.deleted_at is null
    returning ${conversationColumns(sql)}`;
  return row ?? null;
}

/** Locks a temporary conversation of the user. False: it is kept already, deleted, or not there. */
export async function lockTemporary(sql: Executor, userId: string, id: string): Promise<boolean> {
  const rows = await sql`
    select from conversations
     where id = ${id} and user_id = ${userId} and is_temporary and deleted_at is null for no key update`;
  return rows.length > 0;
}

/** Marks a conversation of the user as deleted; when it was marked, null when there is none. */
export async function markDeleted(
  sql: Executor,
  userId: string,
  id: string,
  at: Date | null,
): Promise<Date | null> {
  const [row] = await sql<{ deletedAt: Date }[]>`
    update conversations c set deleted_at = coalesce(c.deleted_at, ${at}::timestamptz, clock_timestamp())
     where c.id = ${id} and c.user_id = ${userId} returning c.deleted_at as "deletedAt"`;
  return row?.deletedAt ?? null;
}

/** Takes back the mark of a conversation of the user, if it is not older than `withinMs`. */
export async function unmarkDeleted(
  sql: Executor,
  userId: string,
  id: string,
  withinMs: number,
  at: Date | null,
): Promise<ConversationRow | null> {
  const [row] = await sql<ConversationRow[]>`
    update conversations c set deleted_at = null
     where c.id = ${id} and c.user_id = ${userId}
       and c.deleted_at > ${momentOf(sql, at)} - ${withinMs} * interval '1 ms'
    returning ${conversationColumns(sql)}`;
  return row ?? null;
}

/** A conversation that was removed for good, and whose. */
export interface Removed {
  id: string;
  userId: string;
}

/** When a conversation was deleted that must not be restored: some of it is gone, or it goes by itself. No clock may go back to it. */
const beyondRestoring = (sql: Executor) => sql`timestamptz 'epoch'`;

/**
 * Marks at most `limit` temporary conversations without a new message for `ageMs` as deleted beyond restoring: they are deleted
 * next. One whose answer still runs waits for its end.
 */
export function markTemporary(
  sql: Executor,
  { ageMs, limit, at }: { ageMs: number; limit: number; at: Date | null },
): Promise<Removed[]> {
  return sql<Removed[]>`
    update conversations d set deleted_at = ${beyondRestoring(sql)} where d.id = any (array(
      select c.id from conversations c
       where c.is_temporary and c.deleted_at is null and c.updated_at <= ${momentOf(sql, at)} - ${ageMs} * interval '1 ms'
         and ${hasEnded(sql)}
       order by c.updated_at limit ${limit} for update skip locked))
    returning d.id, d.user_id as "userId"`;
}

/**
 * Locks at most `limit` conversations that were marked as deleted longer than `undoMs` ago, which can not be restored from now on. One
 * whose answer still runs waits for its end.
 */
export async function lockMarked(
  tx: Executor,
  { undoMs, limit, at }: { undoMs: number; limit: number; at: Date | null },
): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    update conversations d set deleted_at = ${beyondRestoring(tx)} where d.id = any (array(
      select c.id from conversations c
       where c.deleted_at <= ${momentOf(tx, at)} - ${undoMs} * interval '1 ms' and ${hasEnded(tx)}
       order by c.deleted_at limit ${limit} for update skip locked))
    returning d.id`;
  return rows.map(({ id }) => id);
}

/** No answer of the conversation `c` runs. */
const hasEnded = (sql: Executor) => sql`
  not exists (select from messages m where m.conversation_id = c.id and m.user_id = c.user_id and m.status = 'running')`;

/**
 * Deletes at most `limit` messages of some conversations, the newest first, so that none loses its parent: what is read does not
 * grow with what is left. Only where a clock was set back is one below older; then those above it stay for the next time. What
 * waits to be indexed is left: who indexes holds it and waits for the message. Returns how many there were.
 */
export async function deleteNewestMessages(
  sql: Executor,
  conversationIds: readonly string[],
  limit: number,
): Promise<number> {
  const rows = await sql`
    with recursive newest as materialized (
           select m.* from unnest(${conversationIds as string[]}::uuid[]) as c (id) cross join lateral (
             select id, conversation_id, parent_id from messages where conversation_id = c.id
              order by created_at desc, id desc limit ${limit}) m limit ${limit}),
         kept as (
           select n.id, n.parent_id from newest n where exists (
             select from messages below
              where below.conversation_id = n.conversation_id and below.parent_id = n.id
                and below.id not in (select id from newest))
           union
           select n.id, n.parent_id from kept k join newest n on n.id = k.parent_id),
         doomed as materialized (select id from newest where id not in (select id from kept)),
         events as (delete from message_events where message_id in (select id from doomed))
    delete from messages where id in (select id from doomed) returning id`;
  return rows.length;
}

/** Deletes conversations, and what they still have. */
export async function deleteConversationRows(
  sql: Executor,
  conversationIds: readonly string[],
): Promise<void> {
  await sql`delete from conversations where id = any(${conversationIds as string[]}::uuid[])`;
}

/** The first `limit` conversations of a user by id, the deleted ones too. */
export async function selectFirstConversations(
  sql: Executor,
  userId: string,
  limit: number,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from conversations where user_id = ${userId} order by id limit ${limit}`;
  return rows.map(({ id }) => id);
}

/** Conversations of the user by id, those after `after` only: with the archived and temporary ones, without the deleted. */
export async function selectAllConversations(
  sql: Executor,
  page: { userId: string; after: string | null; limit: number },
): Promise<ConversationRow[]> {
  const { userId, after, limit } = page;
  return sql<ConversationRow[]>`
    select ${conversationColumns(sql)} from conversations c
     where c.user_id = ${userId} and c.deleted_at is null and c.id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000')
     order by c.id limit ${limit}`;
}

/** What the statement says of messages of the user: those of the API, and those in conversations that are not deleted. */
export function selectChargedMessages(
  sql: Executor,
  userId: string,
  messageIds: readonly string[],
): Promise<({ messageId: string } & ChargedMessage)[]> {
  return sql<({ messageId: string } & ChargedMessage)[]>`
    select m.id as "messageId", c.title, m.model_version as "modelVersion", m.usage from messages m
      left join conversations c on c.id = m.conversation_id and c.user_id = m.user_id and c.deleted_at is null
     where m.id = any(${[...messageIds]}::uuid[]) and m.user_id = ${userId}
       and (m.conversation_id is null or c.id is not null)`;
}
