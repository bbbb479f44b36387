import type { Executor } from '#server/platform/database.ts';
import { type HoldOutcome, updateHold } from './store.ts';

/**
 * Ends a hold: `settled` spends it, `released` gives it back to the buckets it came from, where it expires or is taken back
 * at once if they are over or revoked. `closed` is true for exactly one caller; `balance` is spendable credits afterwards.
 * @param hold `reason` is a code of `ledger.reason` in `i18n/`, which a release shows in the ledger
 */
export function closeHold(
  tx: Executor,
  hold: { userId: string; holdId: string; outcome: HoldOutcome; reason: string; at: Date | null },
): Promise<{ closed: boolean; balance: number }> {
  return updateHold(tx, hold);
}
