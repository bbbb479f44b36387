import type { Executor } from '#server/platform/database/database.ts';

export interface IdentityRow {
  id: string;
  provider: string;
  accountName: string | null;
  createdAt: Date;
}

/** A user's ways in, a password first; locked where they are about to change. */
export async function selectIdentities(sql: Executor, userId: string): Promise<IdentityRow[]> {
  return sql<IdentityRow[]>`
    select id, provider_id as provider, account_name as "accountName", created_at as "createdAt" from identities
     where user_id = ${userId} and (provider_id <> 'credential' or password is not null)
     order by provider_id, created_at, id limit 100`;
}

/** Ends one way in that is no password; false: the user has no such. */
export async function deleteIdentity(sql: Executor, userId: string, id: string): Promise<boolean> {
  const rows = await sql`
    delete from identities where id = ${id} and user_id = ${userId} and provider_id <> 'credential'`;
  return rows.count > 0;
}
