import type { Executor } from '#server/platform/database.ts';
import { type HoldResult, insertHold } from './store.ts';

export interface HoldTaken {
  /** `duplicate`: this id holds or held before, and nothing was taken again. */
  result: HoldResult;
  /** Spendable credits after the attempt. */
  balance: number;
}

/**
 * Takes the price of a message from the user's buckets, the one that expires first first; all of it or nothing. Locks the
 * user's account until the transaction ends, books what has expired and the free month that is due.
 * @param hold `holdId` is the message's id; `cost` in credits, above 0; `at` as given by `clock.databaseTime()`
 */
export function takeHold(
  tx: Executor,
  hold: { userId: string; holdId: string; cost: number; model: string; at: Date | null },
): Promise<HoldTaken> {
  return insertHold(tx, hold);
}
