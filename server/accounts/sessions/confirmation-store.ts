import type { Executor } from '#server/platform/database/database.ts';

/** True when the person at a session proved within `maxAgeMs` to be its user; `at` as everywhere in SQL. */
export async function isConfirmed(
  sql: Executor,
  sessionId: string,
  maxAgeMs: number,
  at: Date | null,
): Promise<boolean> {
  const now = sql`coalesce(${at}::timestamptz, clock_timestamp())`;
  const rows = await sql`
    select from sessions where id = ${sessionId} and confirmed_at > ${now} - ${maxAgeMs} * interval '1 millisecond'`;
  return rows.count > 0;
}

/** The providers by which a user can sign in: `credential` is a password. */
export async function selectProviders(sql: Executor, userId: string): Promise<string[]> {
  const rows = await sql<{ provider: string }[]>`
    select provider_id as provider from identities
     where user_id = ${userId} and (provider_id <> 'credential' or password is not null)`;
  return rows.map(({ provider }) => provider);
}
