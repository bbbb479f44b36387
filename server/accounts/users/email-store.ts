import type { Language } from '#contract/choices.ts';
import { type Executor, momentOf } from '#server/platform/database/database.ts';
import type { NewUser } from './identity-store.ts';

export interface EmailRow {
  email: string;
  verified: boolean;
  language: Language;
}

/** The address of a user; null when the account is gone. */
export async function findEmail(sql: Executor, userId: string): Promise<EmailRow | null> {
  const [row] = await sql<EmailRow[]>`
    select email, email_verified as verified, language from users where id = ${userId} and email is not null`;
  return row ?? null;
}

export interface AddressedUser {
  id: string;
  email: string;
  language: Language;
  /** The account is being deleted. */
  isLeaving: boolean;
}

/** Who has an address, in lower case. */
export async function findUserByEmail(sql: Executor, email: string): Promise<AddressedUser | null> {
  const [row] = await sql<AddressedUser[]>`
    select id, email, language, leaving_at is not null as "isLeaving" from users where email = ${email}`;
  return row ?? null;
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

export interface EmailChangeRow {
  id: string;
  userId: string;
  newEmail: string;
  oldConfirmed: boolean;
  newConfirmed: boolean;
  expiresAt: Date;
}

const columns = (sql: Executor) => sql`
  id, user_id as "userId", new_email as "newEmail", old_confirmed_at is not null as "oldConfirmed",
  new_confirmed_at is not null as "newConfirmed", expires_at as "expiresAt"`;

/** Begins a change; it takes the place of the user's former one, whose proofs lead nowhere then. */
export async function replaceEmailChange(
  tx: Executor,
  change: { id: string; userId: string; newEmail: string; expiresAt: Date },
): Promise<void> {
  await tx`
    insert into email_changes (id, user_id, new_email, expires_at)
    values (${change.id}, ${change.userId}, ${change.newEmail}, ${change.expiresAt})
    on conflict (user_id) do update
      set id = excluded.id, new_email = excluded.new_email, expires_at = excluded.expires_at,
          old_confirmed_at = null, new_confirmed_at = null`;
}

/** The change that a user has under way. */
export async function findEmailChange(
  sql: Executor,
  userId: string,
  at: Date,
): Promise<EmailChangeRow | null> {
  const [row] = await sql<EmailChangeRow[]>`
    select ${columns(sql)} from email_changes where user_id = ${userId} and expires_at > ${at}`;
  return row ?? null;
}

/** What is told of a change of address. */
export interface ChangeToTell {
  userId: string;
  oldEmail: string;
  oldVerified: boolean;
  newEmail: string;
}

/** A change by its id, while it is under way, with the user's address of now. */
export async function findChangeToTell(sql: Executor, id: string, at: Date): Promise<ChangeToTell | null> {
  const [row] = await sql<ChangeToTell[]>`
    select c.user_id as "userId", u.email as "oldEmail", u.email_verified as "oldVerified", c.new_email as "newEmail"
      from email_changes c join users u on u.id = c.user_id where c.id = ${id} and c.expires_at > ${at}`;
  return row ?? null;
}

/** Notes that one side of a change has confirmed, and holds the row until the transaction ends; null: there is none any more. */
export async function confirmSide(
  tx: Executor,
  id: string,
  side: 'old' | 'new',
  at: Date,
): Promise<EmailChangeRow | null> {
  const column = side === 'old' ? tx`old_confirmed_at` : tx`new_confirmed_at`;
  const [row] = await tx<EmailChangeRow[]>`
    update email_changes set ${column} = coalesce(${column}, ${at}) where id = ${id} and expires_at > ${at}
    returning ${columns(tx)}`;
  return row ?? null;
}

/** Ends a change, by its id; its proofs lead nowhere then. Was there one. */
export async function deleteEmailChange(sql: Executor, id: string): Promise<boolean> {
  return (await sql`delete from email_changes where id = ${id}`).count > 0;
}

/** Gives a user a new address, not proved yet. Rejects with a unique violation where another user has it. */
export async function updateEmail(
  tx: Executor,
  userId: string,
  {
    email,
    emailHash,
    freeWithheld,
    domainShare,
  }: Pick<NewUser, 'email' | 'emailHash' | 'freeWithheld' | 'domainShare'>,
): Promise<void> {
  await tx`
    update users set email = ${email}, email_verified = false, address_hash = ${emailHash},
           free_withheld = ${freeWithheld}::text, domain_hash = ${domainShare?.hash ?? null}::bytea,
           domain_per_day = ${domainShare?.perDay ?? null}::int, updated_at = now()
     where id = ${userId}`;
}
