import { refundTarget } from '../facts/period-rules.ts';
import { isRefundedInFull, type ProviderSnapshot } from '../facts/provider-snapshot.ts';
import type { PaidPeriod } from './link-orders.ts';

/** The refunds and disputes of a charge. */
export interface Loss {
  /** Refunded so far, gross, in minor units. */
  refunded: number;
  isDisputed: boolean;
  /** All of it was refunded. */
  isRefunded: boolean;
  /** Credits of its period to take back. */
  credits: number;
}

/**
 * Credits to take back for refunds or a dispute of one charge, reckoned from the Credits booked for it. A dispute takes all of them: half
 * of 10 USD refunded takes back 500 of 1,000.
 */
export function projectLoss(
  snapshot: ProviderSnapshot,
  { paymentKey, amount, order }: Pick<PaidPeriod, 'paymentKey' | 'amount' | 'order'>,
): Loss {
  const { refunded = 0 } = snapshot.refunds.get(paymentKey) ?? {};
  const isDisputed = snapshot.disputes.has(paymentKey);
  // Of several sums that are told it pays the one that fits its price.
  const isRefunded = isRefundedInFull(snapshot, paymentKey) || refunded >= amount;
  const credits = isDisputed || isRefunded ? order.credits : refundTarget(order.credits, refunded, amount);
  return { refunded, isDisputed, isRefunded, credits };
}

/** Whether a charge pays for nothing any more. */
export function isLost({ isDisputed, isRefunded }: Loss): boolean {
  return isDisputed || isRefunded;
}
