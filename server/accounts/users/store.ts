import type { Language } from '#contract/choices.ts';
import { type Executor, momentOf } from '#server/platform/database/database.ts';

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

/** Whom mails to the address of a user are counted for: the user where it is proved, else the mailbox, whoever opened the account. */
export async function findMailLimitKey(sql: Executor, userId: string): Promise<string> {
  const [row] = await sql<{ key: string }[]>`
    select case when email_verified or address_hash is null then id::text else encode(address_hash, 'hex') end as key
      from users where id = ${userId}`;
  return row?.key ?? userId;
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

/** Deletes one-time proofs and changes of address that are over. */
export async function deleteExpiredProofs(sql: Executor, at: Date | null): Promise<void> {
  await sql`delete from verifications where expires_at < ${momentOf(sql, at)}`;
  await sql`delete from email_changes where expires_at < ${momentOf(sql, at)}`;
}
