import type { Executor } from '#server/platform/database.ts';

/** Has the user's providers asked at `at`, unless they are to be asked sooner; a new series of questions begins. */
export async function askSoon(tx: Executor, userId: string, at: Date): Promise<void> {
  await tx`
    update billing.account set ask_at = least(ask_at, ${at}::timestamptz), asked_times = 0 where user_id = ${userId}`;
}

export interface Asking {
  userId: string;
  /** How often nothing new was told in a row. */
  askedTimes: number;
}

/** Takes at most `limit` users whose providers are to be asked; they come again after `leaseMs` unless somebody says otherwise. */
export function claimAskings(sql: Executor, at: Date, leaseMs: number, limit: number): Promise<Asking[]> {
  const lease = new Date(at.getTime() + leaseMs);
  return sql<Asking[]>`
    update billing.account a set ask_at = ${lease}, asked_times = a.asked_times + 1
      from (select user_id, asked_times from billing.account
             where ask_at <= ${at} order by ask_at limit ${limit} for no key update skip locked) due
     where a.user_id = due.user_id
    returning a.user_id as "userId", due.asked_times as "askedTimes"`;
}

/** When the user's providers are asked next; null: nothing is open. Without a question that waits, the series ends. */
export async function setAskAt(
  sql: Executor,
  userId: string,
  askAt: Date | null,
  hasQuestions: boolean,
): Promise<void> {
  await sql`
    update billing.account set ask_at = ${askAt}::timestamptz,
                               asked_times = case when ${hasQuestions} then asked_times else 0 end
     where user_id = ${userId}`;
}
