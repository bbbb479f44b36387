import type { Language } from '#contract/choices.ts';
import { type Executor, momentOf } from '#server/platform/database/database.ts';
import { newId } from '#server/platform/ids.ts';

export interface AddressedUser {
  id: string;
  email: string;
  language: Language;
}

/** Who has an address, in lower case. */
export async function findUserByEmail(sql: Executor, email: string): Promise<AddressedUser | null> {
  const [row] = await sql<AddressedUser[]>`select id, email, language from users where email = ${email}`;
  return row ?? null;
}

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

/**
 * The user has shown that mail to the address reaches them. `takeover`: the account was opened by another person, and is theirs from
 * that moment on.
 */
export async function markVerified(
  sql: Executor,
  userId: string,
  takeover: { at: Date | null } | null,
): Promise<void> {
  const takenOverAt = takeover ? momentOf(sql, takeover.at) : sql`taken_over_at`;
  await sql`
    update users set email_verified = true, free_withheld = nullif(free_withheld, 'unverified'),
           taken_over_at = ${takenOverAt}, updated_at = now()
     where id = ${userId} and not email_verified`;
}
