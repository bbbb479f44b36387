import type { Executor } from '#server/platform/database/database.ts';
import { newId } from '#server/platform/ids.ts';

/** A user's address and the hash of the password; null in it for a user without one. */
export async function findPassword(
  sql: Executor,
  userId: string,
): Promise<{ email: string; hash: string | null } | null> {
  const [row] = await sql<{ email: string; hash: string | null }[]>`
    select u.email, i.password as hash
      from users u left join identities i on i.user_id = u.id and i.provider_id = 'credential' where u.id = ${userId}`;
  return row ?? null;
}

/** Sets the password of a user, who may have had none. */
export async function updatePassword(sql: Executor, userId: string, hash: string): Promise<void> {
  await sql`
    insert into identities (id, user_id, provider_id, account_id, password)
    values (${newId()}, ${userId}, 'credential', ${userId}, ${hash})
    on conflict (provider_id, account_id) do update set password = excluded.password, updated_at = now()`;
}
