import { AppError } from '#server/errors.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { revokeCredits } from './revoke-credits.ts';
import { readBalanceLocked, selectSpendable } from './store.ts';

/**
 * Takes credits back by hand, from the buckets that end first; the user sees each as an adjustment. Needs a transaction. Throws
 * `insufficient_credits` when fewer can be spent. Returns the balance afterwards.
 */
export async function takeCredits(
  tx: Executor,
  { userId, amount, at }: { userId: string; amount: number; at: Date | null },
): Promise<number> {
  const balance = await readBalanceLocked(tx, userId, at);
  if (balance < amount) throw new AppError('insufficient_credits', { needed: amount, balance });
  let left = amount;
  for (const { sourceKey, available, revokeTarget } of await selectSpendable(tx, userId)) {
    const part = Math.min(left, available);
    left -= part;
    if (part > 0)
      await revokeCredits(tx, {
        userId,
        sourceKey,
        revokeTarget: revokeTarget + part,
        reason: 'correction',
        at,
      });
  }
  return balance - amount;
}
