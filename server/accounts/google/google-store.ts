import type { Executor } from '#server/platform/database/database.ts';
import { newId } from '#server/platform/ids.ts';

export interface NewGoogleIdentity {
  userId: string;
  sub: string;
  /** What the account is called, its address. */
  accountName: string | null;
  at: Date;
}

/** Whose way in a Google account is. */
export async function findGoogleUser(sql: Executor, sub: string): Promise<string | null> {
  const [row] = await sql<{ userId: string }[]>`
    select user_id as "userId" from identities where provider_id = 'google' and account_id = ${sub}`;
  return row?.userId ?? null;
}

/** How many Google accounts are a user's ways in. */
export async function countGoogleIdentities(sql: Executor, userId: string): Promise<number> {
  return (await sql`select from identities where user_id = ${userId} and provider_id = 'google'`).count;
}

/** Makes a Google account a way in and returns its id; null: it was one already, of this user or of another. */
export async function insertGoogleIdentity(
  sql: Executor,
  { userId, sub, accountName, at }: NewGoogleIdentity,
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    insert into identities (id, user_id, provider_id, account_id, account_name, created_at)
    values (${newId()}, ${userId}, 'google', ${sub}, ${accountName}, ${at})
    on conflict (provider_id, account_id) do nothing returning id`;
  return row?.id ?? null;
}
