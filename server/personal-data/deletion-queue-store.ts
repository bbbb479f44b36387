import type { Language } from '#contract/choices.ts';
import type { Executor, Fragment } from '#server/platform/database/database.ts';

/** Where and in which language a user is written to; `email` is null when the account is deleted. */
export interface Recipient {
  email: string | null;
  language: Language;
}

/** A deletion that is under way. */
export interface Deletion {
  userId: string;
  tries: number;
}

/** Whom a mail about an export or a deletion goes to; null: there never was such a user. */
export async function findRecipient(sql: Executor, userId: string): Promise<Recipient | null> {
  const [row] = await sql<Recipient[]>`select email, language from users where id = ${userId}`;
  return row ?? null;
}

/** Marks the account as being deleted, whereupon nothing new can belong to it. */
export async function markLeaving(tx: Executor, userId: string, at: Date): Promise<void> {
  await tx`update users set leaving_at = ${at} where id = ${userId}`;
}

/** Ends sessions and API keys. Proofs under way stop counting by `leaving_at`. */
export async function endSessionsAndKeys(tx: Executor, userId: string, at: Date): Promise<void> {
  await tx`delete from sessions where user_id = ${userId}`;
  await tx`update api_keys set revoked_at = coalesce(revoked_at, ${at}) where user_id = ${userId}`;
}

/** Puts the deletion into the queue; another process takes it up when `leaseMs` are over. */
export async function insertDeletion(
  tx: Executor,
  userId: string,
  at: Date,
  leaseMs: number,
): Promise<Deletion> {
  const until = new Date(at.getTime() + leaseMs);
  await tx`
    insert into deletions (user_id, asked_at, tries, next_try_at) values (${userId}, ${at}, 1, ${until})`;
  return { userId, tries: 1 };
}

/** Deletions that are due. */
export function dueDeletions(sql: Executor, at: Date): Fragment {
  return sql`from deletions where done_at is null and next_try_at <= ${at} order by next_try_at`;
}

/** Takes at most `limit` deletions that are due; they are due again after `leaseMs` unless the caller finishes or postpones them. */
export function leaseDeletions(sql: Executor, at: Date, leaseMs: number, limit: number): Promise<Deletion[]> {
  const until = new Date(at.getTime() + leaseMs);
  return sql<Deletion[]>`
    update deletions d set next_try_at = ${until}, tries = d.tries + 1
      from (select user_id ${dueDeletions(sql, at)} limit ${limit} for update skip locked) due
     where d.user_id = due.user_id
    returning d.user_id as "userId", d.tries`;
}

/** Renews the lease: no other process takes it up before `until`. */
export async function extendLease(sql: Executor, userId: string, until: Date): Promise<void> {
  await sql`update deletions set next_try_at = ${until} where user_id = ${userId} and done_at is null`;
}

/** Records what it has to wait for, and until when. */
export async function postponeDeletion(
  sql: Executor,
  userId: string,
  until: Date,
  error: string,
): Promise<void> {
  await sql`
    update deletions set next_try_at = ${until}, error = ${error.slice(0, 500)}
     where user_id = ${userId} and done_at is null`;
}

export async function isDeleted(sql: Executor, userId: string): Promise<boolean> {
  const rows = await sql`select from users where id = ${userId} and deleted_at is not null`;
  return rows.length > 0;
}

/**
 * Waits until a running projection of the user's payments, and a transaction about the ways into the account, have ended; later ones
 * find no user.
 */
export async function lockLeaver(tx: Executor, userId: string): Promise<void> {
  await tx`select from billing.account where user_id = ${userId} for no key update`;
  await tx`select from users where id = ${userId} for no key update`;
}
