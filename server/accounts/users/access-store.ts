import type { Executor } from '#server/platform/database/database.ts';

/** Whose account a transaction is about to change. */
export interface LockedUser {
  email: string;
  emailVerified: boolean;
}

/**
 * Locks a user until the transaction ends. Every transaction that opens, adds or ends a way in begins with it, so that of two the
 * second sees the first. Null: the account is deleted, or is being so.
 */
export async function lockUser(tx: Executor, userId: string): Promise<LockedUser | null> {
  const [row] = await tx<LockedUser[]>`
    select email, email_verified as "emailVerified" from users
     where id = ${userId} and leaving_at is null for no key update`;
  return row ?? null;
}

/**
 * As `lockUser`, of a user who is to be given an address: whoever has that now is locked too. The order is that of their ids, so that
 * two users who swap addresses wait for each other in a row and not in a circle.
 */
export async function lockUserForAddress(
  tx: Executor,
  userId: string,
  email: string,
): Promise<LockedUser | null> {
  await tx`select from users where id = ${userId} or email = ${email} order by id for no key update`;
  return lockUser(tx, userId);
}

/** True when the session still stands; to be asked under `lockUser`. */
export async function hasSession(tx: Executor, userId: string, sessionId: string): Promise<boolean> {
  return (await tx`select from sessions where id = ${sessionId} and user_id = ${userId}`).count > 0;
}

/** Deletes the ways in that a user has beside sessions and keys, and the trust in browsers. */
export async function deleteCredentials(tx: Executor, userId: string): Promise<void> {
  await tx`delete from identities where user_id = ${userId}`;
  await tx`delete from passkeys where user_id = ${userId}`;
  await tx`delete from second_factors where user_id = ${userId}`;
  await tx`delete from enrolments where user_id = ${userId}`;
  await deleteTrust(tx, userId);
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

/** Deletes the links of a user that lead into the account: resets, and trust in another browser. */
export async function deleteEntryLinks(tx: Executor, userId: string): Promise<void> {
  await tx`
    delete from verifications
     where split_part(value, ' ', 1) = ${userId} and split_part(identifier, ':', 1) in ('reset-password', 'sign-in-link')`;
}

/** Trusts no browser for a user any more, and knows no place: a sign-in from there is news again. */
export async function deleteTrust(tx: Executor, userId: string): Promise<void> {
  await tx`delete from trusted_browsers where user_id = ${userId}`;
  await tx`delete from known_devices where user_id = ${userId}`;
}

/** Something beside the password that opens an account by itself. */
export interface WayRow {
  id: string;
  kind: 'passkey' | 'google' | 'api_key';
  name: string;
  createdAt: Date;
}

/** What opens the account of a user beside the password, the newest first. */
export async function selectWays(sql: Executor, userId: string): Promise<WayRow[]> {
  return sql<WayRow[]>`
    select id, 'passkey' as kind, name, created_at as "createdAt" from passkeys where user_id = ${userId}
    union all
    select id, provider_id, coalesce(account_name, ''), created_at from identities
     where user_id = ${userId} and provider_id <> 'credential'
    union all
    select id, 'api_key', name, created_at from api_keys where user_id = ${userId} and revoked_at is null
     order by "createdAt" desc, id desc`;
}

/** Ends those of the ways of `selectWays`; returns the ids of API keys among them. */
export async function deleteWays(
  tx: Executor,
  userId: string,
  ids: string[],
  at: Date | null,
): Promise<string[]> {
  await tx`delete from passkeys where user_id = ${userId} and id = any(${ids}::uuid[])`;
  await tx`
    delete from identities
     where user_id = ${userId} and id = any(${ids}::uuid[]) and provider_id <> 'credential'`;
  const rows = await tx<{ id: string }[]>`
    update api_keys set revoked_at = coalesce(${at}::timestamptz, clock_timestamp())
     where user_id = ${userId} and id = any(${ids}::uuid[]) and revoked_at is null returning id`;
  return rows.map(({ id }) => id);
}

/** Deletes the password of a user. */
export async function deletePassword(tx: Executor, userId: string): Promise<void> {
  await tx`delete from identities where user_id = ${userId} and provider_id = 'credential'`;
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
