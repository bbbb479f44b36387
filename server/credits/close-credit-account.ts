import type { Executor } from '#server/platform/database/database.ts';

/** Closes a user's credits for good: nothing is spent or granted any more, and what is left lapses in its time. */
export async function closeCreditAccount(tx: Executor, userId: string, at: Date | null): Promise<void> {
  await tx`select credit.close_account(${userId}, ${at})`;
}
