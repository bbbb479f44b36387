import type { Language } from '#contract/choices.ts';
import type { Executor } from '#server/platform/database/database.ts';

export interface LiveSession {
  sessionId: string;
  userId: string;
  usedAt: Date;
}

/** How long a session lasts whatever its expiry says, in days: at most, and without being used. */
export interface SessionLife {
  maxDays: number;
  idleDays: number;
}

/** Is the session `s` live; `at` as everywhere in SQL. */
export function isLive(sql: Executor, { maxDays, idleDays }: SessionLife, at: Date | null) {
  const now = sql`coalesce(${at}::timestamptz, clock_timestamp())`;
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

/** Those of the sessions that are live. */
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

export interface UserRow {
  id: string;
  email: string;
  emailVerified: boolean;
  displayName: string;
  photoUrl: string | null;
  createdAt: Date;
  updatedAt: Date;
  lastLoginAt: Date;
}

/** One user; null when the account is gone. */
export async function findUser(sql: Executor, userId: string): Promise<UserRow | null> {
  const [row] = await sql<UserRow[]>`
    select id, email, email_verified as "emailVerified", display_name as "displayName", photo_url as "photoUrl",
           created_at as "createdAt", updated_at as "updatedAt", last_login_at as "lastLoginAt"
      from users where id = ${userId}`;
  return row ?? null;
}

/** Sets what is given; null leaves it as it is. */
export async function updateProfile(
  sql: Executor,
  userId: string,
  { name, language }: { name: string | null; language: Language | null },
): Promise<void> {
  await sql`
    update users set display_name = coalesce(${name}, display_name), language = coalesce(${language}, language), updated_at = now()
     where id = ${userId}`;
}

/** Deletes sessions, one-time proofs and changes of address that are over. */
export async function deleteExpiredProofs(sql: Executor, life: SessionLife, at: Date | null): Promise<void> {
  await sql`delete from sessions s where not (${isLive(sql, life, at)})`;
  await sql`delete from verifications where expires_at < coalesce(${at}::timestamptz, clock_timestamp())`;
  await sql`delete from email_changes where expires_at < coalesce(${at}::timestamptz, clock_timestamp())`;
}
