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

/** Who has an address, locked until the transaction ends. */
export async function lockUserByEmail(
  sql: Executor,
  email: string,
): Promise<{ id: string; emailVerified: boolean } | null> {
  const [row] = await sql<{ id: string; emailVerified: boolean }[]>`
    select id, email_verified as "emailVerified" from users where email = ${email} for update`;
  return row ?? null;
}

/** Ends every way in that a user has, and what was asked for at their address; the sessions that ended are those of the user. */
export async function deleteAccess(sql: Executor, userId: string, at: Date | null): Promise<void> {
  await sql`delete from identities where user_id = ${userId}`;
  await sql`delete from sessions where user_id = ${userId}`;
  await sql`delete from email_changes where user_id = ${userId}`;
  await sql`delete from verifications where split_part(value, ' ', 1) = ${userId}`;
  await sql`
    update api_keys set revoked_at = coalesce(${at}::timestamptz, clock_timestamp())
     where user_id = ${userId} and revoked_at is null`;
}
