import type { Executor } from '#server/platform/database/database.ts';

export interface SecondStepRow {
  userId: string;
  rememberMe: boolean;
}

/** Keeps a sign-in that waits for its second step. */
export async function insertSecondStep(
  sql: Executor,
  { hash, userId, rememberMe, expiresAt }: SecondStepRow & { hash: string; expiresAt: Date },
): Promise<void> {
  await sql`
    insert into sign_in_steps (hash, user_id, remember_me, expires_at)
    values (${hash}, ${userId}, ${rememberMe}, ${expiresAt})`;
}

/** A step that can still be finished: not over, and with fewer than `maxWrong` wrong codes. */
export async function findSecondStep(
  sql: Executor,
  hash: string,
  maxWrong: number,
  at: Date,
): Promise<SecondStepRow | null> {
  const [row] = await sql<SecondStepRow[]>`
    select user_id as "userId", remember_me as "rememberMe" from sign_in_steps
     where hash = ${hash} and wrong < ${maxWrong} and expires_at > ${at}`;
  return row ?? null;
}

/** Locks such a step for the transaction; false: it is over. */
export async function lockSecondStep(
  tx: Executor,
  hash: string,
  maxWrong: number,
  at: Date,
): Promise<boolean> {
  const rows = await tx`
    select from sign_in_steps where hash = ${hash} and wrong < ${maxWrong} and expires_at > ${at} for update`;
  return rows.count > 0;
}

/** Counts a wrong code; returns how many there were. */
export async function countWrongCode(tx: Executor, hash: string): Promise<number> {
  const [row] = await tx<{ wrong: number }[]>`
    update sign_in_steps set wrong = wrong + 1 where hash = ${hash} returning wrong`;
  return row?.wrong ?? 0;
}

/** Ends a step. */
export async function deleteSecondStep(tx: Executor, hash: string): Promise<void> {
  await tx`delete from sign_in_steps where hash = ${hash}`;
}

/** Deletes steps, enrolments and challenges that are over. */
export async function deleteExpiredSecondSteps(sql: Executor, at: Date): Promise<void> {
  await sql`delete from sign_in_steps where expires_at < ${at}`;
  await sql`delete from enrolments where expires_at < ${at}`;
  await sql`delete from passkey_challenges where expires_at < ${at}`;
}
