import { z } from 'zod';
import type { ErrorCode } from '#contract/errors.ts';
import type { FileState } from '#contract/message/files.ts';
import { type Executor, momentOf } from '#server/platform/database/database.ts';

/** A file of a user. */
export interface FileRow {
  id: string;
  userId: string;
  conversationId: string | null;
  name: string;
  /** Its length. */
  bytes: number;
  /** How much of it is here. */
  received: number;
  state: FileState;
  storage: 'database' | 's3';
  type: string | null;
  /** Hex. */
  sha256: string | null;
  pages: number | null;
  tokens: number | null;
  width: number | null;
  height: number | null;
  hasText: boolean;
  hasThumbnail: boolean;
  everyTurn: boolean;
  /** Its user chose to keep what a picture says of the place where it was taken. */
  keepsPlace: boolean;
  errorCode: ErrorCode | null;
  createdAt: Date;
  /** When it goes; null: with its conversation. */
  expiresAt: Date | null;
}

/** Comes before all ids. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** The columns of a `FileRow`, of the table `f`. */
export const fileColumns = (sql: Executor) => sql`
  f.id, f.user_id as "userId", f.conversation_id as "conversationId", f.name, f.bytes::float8 as bytes,
  f.received::float8 as received, f.state, f.storage, f.type, encode(f.sha256, 'hex') as sha256, f.pages, f.tokens, f.width, f.height,
  f.has_text as "hasText", f.has_thumbnail as "hasThumbnail", f.every_turn as "everyTurn",
  f.keeps_place as "keepsPlace", f.error_code as "errorCode", f.created_at as "createdAt", f.expires_at as "expiresAt"`;

/**
 * A condition: the file is not in a conversation that was deleted and can still be restored. A scalar subquery, because `exists` may read
 * all conversations there are.
 */
const isShown = (sql: Executor) => sql`
  coalesce((select c.deleted_at is null from conversations c where c.id = f.conversation_id), true)`;

/** One file of the user, unless its conversation is deleted. */
export async function findFile(sql: Executor, userId: string, id: string): Promise<FileRow | null> {
  const [row] = await sql<FileRow[]>`
    select ${fileColumns(sql)} from files f where f.id = ${id} and f.user_id = ${userId} and ${isShown(sql)}`;
  return row ?? null;
}

/** The files of the user among the given ones that are ready, in no order. */
export function selectReadyFiles(sql: Executor, userId: string, ids: readonly string[]): Promise<FileRow[]> {
  return sql<FileRow[]>`
    select ${fileColumns(sql)} from files f
     where f.id = any(${ids as string[]}::uuid[]) and f.user_id = ${userId} and f.state = 'ready'`;
}

/** Where a file stands in the list of its conversation: when it was named or made, in microseconds, its number in its message, its id. */
export const filePlaceSchema = z
  .string()
  .regex(/^\d{1,17}_\d{1,9}_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

/**
 * Files of a conversation of the user, oldest first, those of a message as it first named them, only those behind the place `after`;
 * null where there is no such conversation.
 */
export async function selectConversationFiles(
  sql: Executor,
  userId: string,
  conversationId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<(FileRow & { place: string })[] | null> {
  const found = await sql`
    select from conversations where id = ${conversationId} and user_id = ${userId} and deleted_at is null`;
  if (found.length === 0) return null;
  const [time, n] = [sql`coalesce(f.named_at, f.created_at)`, sql`coalesce(f.named_n, 0)`];
  const [at = '0', number = '0', id = NO_ID] = after?.split('_') ?? [];
  return sql<(FileRow & { place: string })[]>`
    select ${fileColumns(sql)}, concat_ws('_', (extract(epoch from ${time}) * 1000000)::bigint, ${n}, f.id) as place
      from files f
     where f.conversation_id = ${conversationId} and f.user_id = ${userId}
       and (${time}, ${n}, f.id) > ('epoch'::timestamptz + ${at}::bigint * interval '1 microsecond', ${number}::int, ${id}::uuid)
     order by ${time}, ${n}, f.id limit ${limit}`;
}

/** All files of the user that were read, or could not be, by id, those after `after` only. */
export function selectFiles(
  sql: Executor,
  userId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<FileRow[]> {
  return sql<FileRow[]>`
    select ${fileColumns(sql)} from files f
     where f.user_id = ${userId} and f.state in ('ready', 'failed') and f.id > ${after ?? NO_ID}::uuid and ${isShown(sql)}
     order by f.id limit ${limit}`;
}

/**
 * Bytes that the user's files take, what is being uploaded included. A file counts for its text where that is longer: a workbook of 4 kB
 * may have 50 MB of it.
 */
export async function sumBytes(sql: Executor, userId: string): Promise<number> {
  const [row] = await sql<{ bytes: number }[]>`
    select bytes::float8 as bytes from file_usage where user_id = ${userId}`;
  return row?.bytes ?? 0;
}

/** Says whether a file of the user is read in every turn. */
export async function updateEveryTurn(
  sql: Executor,
  userId: string,
  id: string,
  everyTurn: boolean,
): Promise<FileRow | null> {
  const [row] = await sql<FileRow[]>`
    update files f set every_turn = ${everyTurn}
     where f.id = ${id} and f.user_id = ${userId} and ${isShown(sql)} returning ${fileColumns(sql)}`;
  return row ?? null;
}

/** Deletes a file of the user with all that is kept of it. False: there is none. */
export async function deleteFileRow(
  sql: Executor,
  userId: string,
  id: string,
  isUnnamed: boolean,
): Promise<boolean> {
  const rows = await sql`
    delete from files f
     where f.id = ${id} and f.user_id = ${userId} and ${isShown(sql)} and (not ${isUnnamed} or f.expires_at is not null)
    returning f.id`;
  return rows.length > 0;
}

/** Deletes at most `limit` files that no message named in time. Returns how many there were. */
export async function deleteExpiredFiles(sql: Executor, at: Date, limit: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    with gone as (
      delete from files where id = any (array(
        select id from files where expires_at <= ${at} order by expires_at limit ${limit} for update skip locked))
         and expires_at <= ${at} returning user_id)
    select count(*)::int as count, lock_file_usage(array_agg(user_id)) from gone`;
  return row?.count ?? 0;
}

/** Deletes at most `limit` files of a user. Returns how many there were. */
export async function deleteSomeFiles(sql: Executor, userId: string, limit: number): Promise<number> {
  const rows = await sql`
    delete from files where id = any (array(
      select id from files where user_id = ${userId} order by id limit ${limit})) returning id`;
  return rows.length;
}

/**
 * Deletes at most `limit` files of conversations that were deleted longer than `undoMs` ago; one that is being restored keeps its
 * own. Returns how many there were.
 */
export async function deleteDoomedFiles(
  sql: Executor,
  { undoMs, limit, at }: { undoMs: number; limit: number; at: Date | null },
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    with gone as (
      delete from files where id = any (array(
        select f.id from conversations c cross join lateral (
          select id from files where conversation_id = c.id order by id limit ${limit}) f
         where c.deleted_at <= ${momentOf(sql, at)} - ${undoMs} * interval '1 ms' limit ${limit} for update of c skip locked))
      returning user_id)
    select count(*)::int as count, lock_file_usage(array_agg(user_id)) from gone`;
  return row?.count ?? 0;
}

/** Gives files of the user that belong to no conversation to one, in the order in which a message names them. */
export async function bindFiles(
  tx: Executor,
  userId: string,
  conversationId: string,
  ids: readonly string[],
  at: Date,
): Promise<void> {
  await tx`
    update files f set conversation_id = ${conversationId}, expires_at = null, named_at = ${at}, named_n = named.n
      from unnest(${ids as string[]}::uuid[]) with ordinality as named (id, n)
     where f.id = named.id and user_id = ${userId} and conversation_id is null and state = 'ready'`;
}

/** The files of the user among the given ones, locked until the transaction ends, in no order. */
export async function lockFiles(tx: Executor, userId: string, ids: readonly string[]): Promise<FileRow[]> {
  return tx<FileRow[]>`
    select ${fileColumns(tx)} from files f
     where f.id = any(${ids as string[]}::uuid[]) and f.user_id = ${userId} order by f.id for no key update`;
}
