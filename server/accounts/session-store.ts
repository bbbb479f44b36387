import type { Executor } from '#server/platform/database.ts';

export interface SessionRow {
  id: string;
  userAgent: string | null;
  address: string | null;
  createdAt: Date;
  usedAt: Date;
}

/** The live sessions of a user, the last used first, at most 100. */
export async function selectSessions(
  sql: Executor,
  userId: string,
  maxAgeDays: number,
  at: Date | null,
): Promise<SessionRow[]> {
  const now = sql`coalesce(${at}::timestamptz, clock_timestamp())`;
  return sql<SessionRow[]>`
    select id, user_agent as "userAgent", ip_address as address, created_at as "createdAt", used_at as "usedAt" from sessions
     where user_id = ${userId} and expires_at > ${now} and created_at > ${now} - ${maxAgeDays} * interval '1 day'
     order by used_at desc, id limit 100`;
}

/** Ends one session of a user; false: there is none. */
export async function deleteSession(sql: Executor, userId: string, id: string): Promise<boolean> {
  return (await sql`delete from sessions where id = ${id} and user_id = ${userId}`).count > 0;
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

/** Notes that a session was used, unless that was noted within `everyMs`. */
export async function touchSession(sql: Executor, id: string, at: Date, everyMs: number): Promise<void> {
  const since = new Date(at.getTime() - everyMs);
  await sql`update sessions set used_at = ${at} where id = ${id} and used_at < ${since}`;
}
