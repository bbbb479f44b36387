import type { Executor } from '#server/platform/database.ts';
import { lowerRevokeTarget } from './store.ts';

/**
 * Lowers what is to be taken back of a grant to `total` credits, and gives back what was taken beyond that: another charge turned
 * out to pay for the same period. What is over by then expires at once. Higher totals and unknown grants change nothing.
 */
export function restoreCredits(
  tx: Executor,
  restoration: { userId: string; paymentKey: string; total: number; at: Date | null },
): Promise<{ given: number; balance: number }> {
  return lowerRevokeTarget(tx, restoration);
}
