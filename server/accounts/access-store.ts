import type { Executor } from '#server/platform/database.ts';

/** Whose account a transaction is about to change. */
export interface LockedUser {
  /** Null when the account is deleted. */
  email: string | null;
  emailVerified: boolean;
}

/**
 * Locks a user until the transaction ends. Every transaction that opens, adds or ends a way in begins with it, so that of two the
 * second sees the first. Null: the account is gone.
 */
export async function lockUser(tx: Executor, userId: string): Promise<LockedUser | null> {
  const [row] = await tx<LockedUser[]>`
    select email, email_verified as "emailVerified" from users where id = ${userId} for no key update`;
  return row ?? null;
}

/** Does the session still stand; to be asked under `lockUser`. */
export async function hasSession(tx: Executor, userId: string, sessionId: string): Promise<boolean> {
  return (await tx`select from sessions where id = ${sessionId} and user_id = ${userId}`).count > 0;
}

/**
 * Deletes the ways in that a user has beside sessions and keys, the trust in browsers, and from where all were used: a sign-in from
 * there is news again.
 */
export async function deleteCredentials(tx: Executor, userId: string): Promise<void> {
  await tx`delete from identities where user_id = ${userId}`;
  await tx`delete from passkeys where user_id = ${userId}`;
  await tx`delete from second_factors where user_id = ${userId}`;
  await tx`delete from enrolments where user_id = ${userId}`;
  await tx`delete from trusted_browsers where user_id = ${userId}`;
  await tx`delete from known_devices where user_id = ${userId}`;
}

/** Deletes what was begun and not finished: sign-ins that wait for their second step, and a change of address. */
export async function deletePending(tx: Executor, userId: string): Promise<void> {
  await tx`delete from sign_in_steps where user_id = ${userId}`;
  await tx`delete from email_changes where user_id = ${userId}`;
}

/** Deletes the sign-ins of a user that wait for their second step. */
export async function deleteSteps(tx: Executor, userId: string): Promise<void> {
  await tx`delete from sign_in_steps where user_id = ${userId}`;
}

/** Deletes every link that was mailed for a user: resets and verifications, used ones too. */
export async function deleteLinks(tx: Executor, userId: string): Promise<void> {
  await tx`delete from verifications where split_part(value, ' ', 1) = ${userId}`;
}

/**
 * Deletes the reset links of a user whose mailbox is proved. Of any other account they are the only way in that the owner of the
 * mailbox has, and must not be in the hand of whoever opened it.
 */
export async function deleteResetLinks(tx: Executor, userId: string): Promise<void> {
  await tx`
    delete from verifications
     where split_part(value, ' ', 1) = ${userId} and starts_with(identifier, 'reset-password:')
       and exists (select from users where id = ${userId} and email_verified)`;
}

/** Revokes the API keys of a user; returns the ids of those that were live. */
export async function revokeKeys(tx: Executor, userId: string, at: Date | null): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    update api_keys set revoked_at = coalesce(${at}::timestamptz, clock_timestamp())
     where user_id = ${userId} and revoked_at is null returning id`;
  return rows.map(({ id }) => id);
}
