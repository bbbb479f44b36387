import type { Language } from '#contract/choices.ts';
import type { MessageOutput } from '#server/chat/message-store/message-parts.ts';
import { type Executor, type Fragment, microsOf } from '#server/platform/database/database.ts';
import { newId } from '#server/platform/ids.ts';

export interface ExportRow {
  id: string;
  userId: string;
  language: Language;
  state: 'waiting' | 'ready' | 'failed';
  requestedAt: Date;
  /** Bytes. */
  size: number | null;
  expiresAt: Date | null;
  /** Which attempt this is. */
  tries: number;
}

const columns = (sql: Executor) => sql`
  e.id, e.user_id as "userId", e.language, e.state, e.requested_at as "requestedAt", e.size::float8 as size,
  e.expires_at as "expiresAt", e.tries`;

/** Requests an export, or returns the one that is being made. */
export async function insertExport(
  sql: Executor,
  userId: string,
  language: Language,
  at: Date,
): Promise<ExportRow> {
  const [row] = await sql<ExportRow[]>`
    insert into exports as e (id, user_id, language, requested_at, next_try_at)
    values (${newId()}, ${userId}, ${language}, ${at}, ${at})
    on conflict (user_id) where state = 'waiting' do update set language = excluded.language
    returning ${columns(sql)}`;
  if (!row) throw new Error('an insert returns its row');
  return row;
}

/** True while one is being made. */
export async function isExporting(sql: Executor, userId: string): Promise<boolean> {
  const rows = await sql`select from exports where user_id = ${userId} and state = 'waiting'`;
  return rows.length > 0;
}

/** The user's exports, newest first; those that are over are gone. */
export function selectExports(sql: Executor, userId: string, at: Date, limit: number): Promise<ExportRow[]> {
  return sql<ExportRow[]>`
    select ${columns(sql)} from exports e
     where e.user_id = ${userId} and (e.expires_at is null or e.expires_at > ${at})
     order by e.requested_at desc limit ${limit}`;
}

/** An export that can be downloaded; null for another user's, and for one that is not ready or over. */
export async function findReadyExport(
  sql: Executor,
  userId: string,
  id: string,
  at: Date,
): Promise<ExportRow | null> {
  const [row] = await sql<ExportRow[]>`
    select ${columns(sql)} from exports e
     where e.id = ${id} and e.user_id = ${userId} and e.state = 'ready' and e.expires_at > ${at}`;
  return row ?? null;
}

/** Exports that are due. */
export function dueExports(sql: Executor, at: Date): Fragment {
  return sql`from exports where state = 'waiting' and next_try_at <= ${at} order by next_try_at`;
}

/** Takes at most `limit` exports that are due; they are due again after `leaseMs` unless the caller finishes or postpones them. */
export function leaseExports(sql: Executor, at: Date, leaseMs: number, limit: number): Promise<ExportRow[]> {
  const until = new Date(at.getTime() + leaseMs);
  return sql<ExportRow[]>`
    update exports e set next_try_at = ${until}, tries = e.tries + 1
      from (select id ${dueExports(sql, at)} limit ${limit} for update skip locked) due
     where e.id = due.id
    returning ${columns(sql)}`;
}

type Attempt = Pick<ExportRow, 'id' | 'tries'>;

/**
 * Keeps the next piece and the lease. In Base64, for the driver writes bytes as hex. False: another process has taken the export over, or
 * it is gone.
 */
export async function insertChunk(
  sql: Executor,
  { id, tries }: Attempt,
  { number, bytes }: { number: number; bytes: Buffer },
  leaseUntil: Date,
): Promise<boolean> {
  const rows = await sql`
    with mine as (update exports set next_try_at = ${leaseUntil}
                   where id = ${id} and tries = ${tries} and state = 'waiting' returning id)
    insert into export_chunks (export_id, try, number, bytes)
    select id, ${tries}, ${number}, decode(${bytes.toString('base64')}, 'base64') from mine returning number`;
  return rows.length > 0;
}

/** The piece of this number; null after the last. */
export async function findChunk(
  sql: Executor,
  { id, tries }: Attempt,
  number: number,
): Promise<Buffer | null> {
  const [row] = await sql<{ bytes: Buffer }[]>`
    select bytes from export_chunks where export_id = ${id} and try = ${tries} and number = ${number}`;
  return row?.bytes ?? null;
}

/** Records that it is complete and ends those before it. Returns false where another process has taken it over. */
export async function markReady(
  tx: Executor,
  { id, userId, tries }: Attempt & Pick<ExportRow, 'userId'>,
  { size, at, expiresAt }: { size: number; at: Date; expiresAt: Date },
): Promise<boolean> {
  const rows = await tx`
    update exports set state = 'ready', size = ${size}, ended_at = ${at}, expires_at = ${expiresAt}, error = null
     where id = ${id} and tries = ${tries} and state = 'waiting' returning id`;
  if (rows.length > 0)
    await tx`update exports set expires_at = ${at} where user_id = ${userId} and id <> ${id} and expires_at > ${at}`;
  return rows.length > 0;
}

/** Records that it failed: it is tried again at `until`, or given up where that is null. */
export async function markFailed(
  sql: Executor,
  { id, tries }: Attempt,
  { until, at, error }: { until: Date | null; at: Date; error: string },
): Promise<void> {
  await sql`
    update exports set error = ${error.slice(0, 500)}, next_try_at = coalesce(${until}, next_try_at),
           state = ${until ? 'waiting' : 'failed'}, ended_at = ${until ? null : at}
     where id = ${id} and tries = ${tries} and state = 'waiting'`;
}

/** Deletes some pieces of exports that a condition on `exports e` and `export_chunks c` names. Returns how many there were. */
async function deleteChunks(sql: Executor, condition: Fragment, limit: number): Promise<number> {
  const rows = await sql`
    delete from export_chunks where (export_id, try, number) in (
      select c.export_id, c.try, c.number from exports e join export_chunks c on c.export_id = e.id
       where ${condition} limit ${limit}) returning number`;
  return rows.length;
}

/** Deletes some pieces of a user's exports. Returns how many there were. */
export function deleteUserChunks(sql: Executor, userId: string, limit: number): Promise<number> {
  return deleteChunks(sql, sql`e.user_id = ${userId}`, limit);
}

/** How long a download that had begun may go on with an export that is over. */
export const DOWNLOADED_HOURS = 1;

/** Deletes some pieces of exports that failed, or that are over and not being downloaded any more. Returns how many there were. */
export function deleteExpiredChunks(sql: Executor, at: Date, limit: number): Promise<number> {
  const isOver = sql`e.expires_at <= ${at}::timestamptz - ${DOWNLOADED_HOURS} * interval '1 hour'`;
  return deleteChunks(sql, sql`(${isOver} or e.state = 'failed')`, limit);
}

/**
 * Deletes some pieces of an export that attempts up to this one wrote. Returns how many there were. None of one that is ready: its
 * attempt may have ended well though nobody was told.
 */
export function deleteTriedChunks(sql: Executor, { id, tries }: Attempt, limit: number): Promise<number> {
  return deleteChunks(sql, sql`e.id = ${id} and c.try <= ${tries} and e.state <> 'ready'`, limit);
}

export interface ApiAnswer {
  id: string;
  model: string;
  status: string;
  answer: string;
  output: MessageOutput | null;
  credits: number;
  at: Date;
}

/** Where an exchange stands in their order: its time, in microseconds since 1970, and its id. */
export interface AnswerPlace {
  micros: string;
  id: string;
}

/** Exchanges of the API with what is kept of their answers, oldest first, those after a place only. */
export function selectApiAnswers(
  sql: Executor,
  userId: string,
  after: AnswerPlace | null,
  limit: number,
): Promise<(ApiAnswer & AnswerPlace)[]> {
  const { micros, id } = after ?? { micros: '0', id: '00000000-0000-0000-0000-000000000000' };
  return sql<(ApiAnswer & AnswerPlace)[]>`
    select id, model, status, response as answer, output, credits_used as credits, created_at as at,
           ${microsOf(sql, sql`created_at`)} as micros
      from messages
     where user_id = ${userId} and conversation_id is null
       and (created_at, id) > (timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond', ${id}::uuid)
     order by created_at, id limit ${limit}`;
}

/** The user's picture. */
export async function findPicture(sql: Executor, userId: string): Promise<Buffer | null> {
  const [row] = await sql<{ image: Buffer }[]>`select image from pictures where user_id = ${userId}`;
  return row?.image ?? null;
}
