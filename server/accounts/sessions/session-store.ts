import { type Executor, momentOf } from '#server/platform/database/database.ts';
import { newId } from '#server/platform/ids.ts';
import { MAX_SESSIONS, type SessionLife } from './session-rules.ts';

export interface LiveSession {
  sessionId: string;
  userId: string;
  usedAt: Date;
}

/** True when the session `s` is live; `at` as everywhere in SQL. */
function isLive(sql: Executor, { maxDays, idleDays }: SessionLife, at: Date | null) {
  const now = momentOf(sql, at);
  return sql`
    s.expires_at > ${now} and s.created_at > ${now} - ${maxDays} * interval '1 day'
    and s.used_at > ${now} - ${idleDays} * interval '1 day'`;
}

/** The live session of a token. */
export async function findLiveSession(
  sql: Executor,
  token: string,
  life: SessionLife,
  at: Date | null,
): Promise<LiveSession | null> {
  const [row] = await sql<LiveSession[]>`
    select s.id as "sessionId", s.user_id as "userId", s.used_at as "usedAt" from sessions s
     where s.token = ${token} and ${isLive(sql, life, at)}`;
  return row ?? null;
}

/** Which of the sessions are live. */
export async function findLiveSessionIds(
  sql: Executor,
  sessionIds: string[],
  life: SessionLife,
  at: Date | null,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select s.id from sessions s where s.id = any(${sessionIds}::uuid[]) and ${isLive(sql, life, at)}`;
  return rows.map((row) => row.id);
}

/** Deletes sessions that are over: each reason by an index of its own. */
export async function deleteExpiredSessions(
  sql: Executor,
  life: SessionLife,
  at: Date | null,
): Promise<void> {
  const now = momentOf(sql, at);
  await sql`delete from sessions where expires_at <= ${now}`;
  await sql`delete from sessions where created_at <= ${now} - ${life.maxDays} * interval '1 day'`;
  await sql`delete from sessions where used_at <= ${now} - ${life.idleDays} * interval '1 day'`;
}

export interface SessionRow {
  id: string;
  userAgent: string | null;
  ip: string | null;
  createdAt: Date;
  usedAt: Date;
}

export interface NewSession {
  userId: string;
  token: string;
  seconds: number;
  ip: string;
  userAgent: string | null;
}

/** Keeps a session that begins now and lives for `seconds`; `at` as everywhere in SQL. Returns its id. */
export async function insertSession(sql: Executor, session: NewSession, at: Date | null): Promise<string> {
  const { userId, token, seconds, ip, userAgent } = session;
  const id = newId();
  await sql`
    insert into sessions (id, user_id, token, ip_address, user_agent, created_at, updated_at, used_at, confirmed_at, expires_at)
    select ${id}, ${userId}, ${token}, ${ip}, ${userAgent}, now, now, now, now, now + ${seconds} * interval '1 second'
      from coalesce(${at}::timestamptz, clock_timestamp()) as now`;
  return id;
}

/** One session; null when it is gone. */
export async function findSession(
  sql: Executor,
  id: string,
): Promise<(SessionRow & { userId: string; expiresAt: Date }) | null> {
  const [row] = await sql<(SessionRow & { userId: string; expiresAt: Date })[]>`
    select id, user_id as "userId", user_agent as "userAgent", ip_address as ip, created_at as "createdAt",
           used_at as "usedAt", expires_at as "expiresAt" from sessions where id = ${id}`;
  return row ?? null;
}

/** The live sessions of a user, the last used first, at most MAX_SESSIONS. */
export async function selectSessions(
  sql: Executor,
  userId: string,
  life: SessionLife,
  at: Date | null,
): Promise<SessionRow[]> {
  return sql<SessionRow[]>`
    select id, user_agent as "userAgent", ip_address as ip, created_at as "createdAt", used_at as "usedAt" from sessions s
     where user_id = ${userId} and ${isLive(sql, life, at)}
     order by used_at desc, id limit ${MAX_SESSIONS}`;
}

/** What the cookie of a session is to say. */
export interface SessionTerms {
  /** Seconds until the session ends. */
  seconds: number;
  /** False: it ends with the browser. */
  remembered: boolean;
}

/** Gives a session another token and notes that the person at it has just proved to be its user; null: it is over. */
export async function replaceToken(
  tx: Executor,
  { userId, sessionId }: { userId: string; sessionId: string },
  token: string,
  at: Date | null,
): Promise<SessionTerms | null> {
  const now = tx`coalesce(${at}::timestamptz, clock_timestamp())`;
  const [row] = await tx<SessionTerms[]>`
    update sessions set token = ${token}, confirmed_at = ${now} where id = ${sessionId} and user_id = ${userId}
    returning ceil(extract(epoch from expires_at - ${now}))::int as seconds,
              expires_at - created_at > interval '1 day' as remembered`;
  return row ?? null;
}

/** Ends one session of a user; false: there is none. */
export async function deleteSession(sql: Executor, userId: string, id: string): Promise<boolean> {
  return (await sql`delete from sessions where id = ${id} and user_id = ${userId}`).count > 0;
}

/** Ends the session of a token, whoever its user is. */
export async function deleteSessionOfToken(sql: Executor, token: string): Promise<void> {
  await sql`delete from sessions where token = ${token}`;
}

/** Ends every session of a user but one, or all where that is null; returns those that ended. */
export async function deleteOtherSessions(
  sql: Executor,
  userId: string,
  kept: string | null,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    delete from sessions where user_id = ${userId} and id is distinct from ${kept}::uuid returning id`;
  return rows.map(({ id }) => id);
}

/** Ends the sessions of a user beyond MAX_SESSIONS, those not used for longest; never `kept`. */
export async function deleteOldestSessions(sql: Executor, userId: string, kept: string): Promise<void> {
  await sql`
    delete from sessions where user_id = ${userId} and id in (
      select id from sessions where user_id = ${userId} and id <> ${kept}
       order by used_at desc, id offset ${MAX_SESSIONS - 1})`;
}

/** Notes that a session was used, unless that was noted within `everyMs`. */
export async function touchSession(sql: Executor, id: string, at: Date, everyMs: number): Promise<void> {
  const since = new Date(at.getTime() - everyMs);
  await sql`update sessions set used_at = ${at} where id = ${id} and used_at < ${since}`;
}
