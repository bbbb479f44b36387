import type { Executor } from '#server/platform/database/database.ts';
import { newId } from '#server/platform/ids.ts';

export interface SecondFactorRow {
  id: string;
  /** Sealed. */
  secret: string;
  recoverySalt: Buffer;
  /** Memory in KiB with which its recovery codes were hashed; null: they are older than this column. */
  recoveryMemoryKib: number | null;
  createdAt: Date;
  codesLeft: number;
}

/** The second factor of a user; null while it is off. */
export async function findSecondFactor(sql: Executor, userId: string): Promise<SecondFactorRow | null> {
  const [row] = await sql<SecondFactorRow[]>`
    select id, secret, recovery_salt as "recoverySalt", recovery_memory_kib as "recoveryMemoryKib",
           created_at as "createdAt",
           (select count(*)::int from recovery_codes r where r.user_id = f.user_id) as "codesLeft"
      from second_factors f where user_id = ${userId}`;
  return row ?? null;
}

/** True when the second factor of a user is on. */
export async function hasSecondFactor(sql: Executor, userId: string): Promise<boolean> {
  return (await sql`select from second_factors where user_id = ${userId}`).count > 0;
}

/** Keeps the secret of an enrolment, in place of an earlier one. */
export async function insertEnrolment(
  sql: Executor,
  { userId, secret, expiresAt }: { userId: string; secret: string; expiresAt: Date },
): Promise<void> {
  await sql`
    insert into enrolments (user_id, secret, expires_at) values (${userId}, ${secret}, ${expiresAt})
    on conflict (user_id) do update set secret = excluded.secret, expires_at = excluded.expires_at`;
}

/** The sealed secret of an enrolment under way; null when there is none. */
export async function findEnrolment(sql: Executor, userId: string, at: Date): Promise<string | null> {
  const [row] = await sql<{ secret: string }[]>`
    select secret from enrolments where user_id = ${userId} and expires_at > ${at}`;
  return row?.secret ?? null;
}

/** Ends the enrolment of a secret; of several callers exactly one gets true. */
export async function consumeEnrolment(sql: Executor, userId: string, secret: string): Promise<boolean> {
  return (await sql`delete from enrolments where user_id = ${userId} and secret = ${secret}`).count > 0;
}

export interface NewSecondFactor {
  userId: string;
  secret: string;
  totpCounter: number;
  recoverySalt: Buffer;
  at: Date;
}

/**
 * Turns the second factor on, or moves it to another app; recovery codes of an earlier one go. Returns its id, which a move keeps, and
 * whether it was off before.
 */
export async function replaceSecondFactor(
  sql: Executor,
  factor: NewSecondFactor,
): Promise<{ id: string; wasOff: boolean }> {
  const { userId, secret, totpCounter, recoverySalt, at } = factor;
  const [former] = await sql<
    { id: string }[]
  >`delete from second_factors where user_id = ${userId} returning id`;
  const id = former?.id ?? newId();
  await sql`
    insert into second_factors (id, user_id, secret, totp_counter, recovery_salt, created_at)
    values (${id}, ${userId}, ${secret}, ${totpCounter}, ${recoverySalt}, ${at})`;
  return { id, wasOff: former === undefined };
}

/** A set of recovery codes as it is kept. */
export interface HashedCodes {
  salt: Buffer;
  /** Memory in KiB that hashing each of them took. */
  memoryKib: number;
  hashes: Buffer[];
}

/** Keeps a set of recovery codes in place of those before; false: the second factor is off. */
export async function replaceRecoveryCodes(
  sql: Executor,
  userId: string,
  { salt, memoryKib, hashes }: HashedCodes,
): Promise<boolean> {
  const changed = await sql`
    update second_factors set recovery_salt = ${salt}, recovery_memory_kib = ${memoryKib} where user_id = ${userId}`;
  if (changed.count === 0) return false;
  await sql`delete from recovery_codes where user_id = ${userId}`;
  await sql`insert into recovery_codes ${sql(hashes.map((hash) => ({ user_id: userId, hash })))}`;
  return true;
}

/** Uses the code of a counter that is later than any before; of several callers exactly one gets true. */
export async function consumeTotpCounter(
  sql: Executor,
  userId: string,
  secret: string,
  totpCounter: number,
): Promise<boolean> {
  const used = await sql`
    update second_factors set totp_counter = ${totpCounter}
     where user_id = ${userId} and secret = ${secret} and totp_counter < ${totpCounter}`;
  return used.count > 0;
}

/** Uses a recovery code; of several callers exactly one gets true. */
export async function consumeRecoveryCode(sql: Executor, userId: string, hash: Buffer): Promise<boolean> {
  return (await sql`delete from recovery_codes where user_id = ${userId} and hash = ${hash}`).count > 0;
}

/** Turns the second factor off; false: it was. */
export async function deleteSecondFactor(sql: Executor, userId: string): Promise<boolean> {
  await sql`delete from enrolments where user_id = ${userId}`;
  return (await sql`delete from second_factors where user_id = ${userId}`).count > 0;
}
