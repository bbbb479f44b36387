import type { Executor } from '#server/platform/database.ts';

/** What is projected for a user beside orders and the subscription. */
export interface AccountRow {
  clearedDisputes: string[];
  disputed: boolean;
  nextChangeAt: Date | null;
  askAt: Date | null;
}

const columns = (sql: Executor) => sql`
  cleared_disputes as "clearedDisputes", disputed, next_change_at as "nextChangeAt", ask_at as "askAt"`;

/** The row of a user who ever began a checkout, locked until the transaction ends; null for everybody else. */
export async function lockKnownAccount(tx: Executor, userId: string): Promise<AccountRow | null> {
  const [row] = await tx<AccountRow[]>`
    select ${columns(tx)} from billing.account where user_id = ${userId} for no key update`;
  return row ?? null;
}

/** Writes what was projected, where it differs. `askAt` counts only while nothing is to be asked yet. */
export async function updateAccount(
  tx: Executor,
  userId: string,
  { disputed, nextChangeAt, askAt }: Pick<AccountRow, 'disputed' | 'nextChangeAt' | 'askAt'>,
  at: Date,
): Promise<void> {
  await tx`
    update billing.account set disputed = ${disputed}, next_change_at = ${nextChangeAt}, ask_at = coalesce(ask_at, ${askAt}),
                               projected_at = ${at}
     where user_id = ${userId}
       and (disputed, next_change_at, ask_at) is distinct from
           (${disputed}::boolean, ${nextChangeAt}::timestamptz, coalesce(ask_at, ${askAt}::timestamptz))`;
}

/** Something new was told of the user: whoever is interrupted before the projection leaves it to the job. */
export async function markDue(tx: Executor, userId: string, at: Date): Promise<void> {
  await tx`update billing.account set next_change_at = least(next_change_at, ${at}::timestamptz) where user_id = ${userId}`;
}

/** Users whose projection time has changed, the longest due first. */
export async function selectDueUsers(sql: Executor, at: Date, limit: number): Promise<string[]> {
  const rows = await sql<{ userId: string }[]>`
    select user_id as "userId" from billing.account where next_change_at <= ${at} order by next_change_at limit ${limit}`;
  return rows.map(({ userId }) => userId);
}
