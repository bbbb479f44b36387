import type { Executor } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';

export interface NewGoogleIdentity {
  userId: string;
  sub: string;
  /** What the account is called, its address. */
  accountName: string | null;
}

/** Whose way in a Google account is. */
export async function findGoogleUser(sql: Executor, sub: string): Promise<string | null> {
  const [row] = await sql<{ userId: string }[]>`
    select user_id as "userId" from identities where provider_id = 'google' and account_id = ${sub}`;
  return row?.userId ?? null;
}

/** Makes a Google account a way in; false: it was one already, of this user or of another. */
export async function insertGoogleIdentity(
  sql: Executor,
  { userId, sub, accountName }: NewGoogleIdentity,
): Promise<boolean> {
  const rows = await sql`
    insert into identities (id, user_id, provider_id, account_id, account_name)
    values (${newId()}, ${userId}, 'google', ${sub}, ${accountName})
    on conflict (provider_id, account_id) do nothing`;
  return rows.count > 0;
}
