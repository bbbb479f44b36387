import { refundTarget } from '../facts/period-rules.ts';
import type { ProviderSnapshot } from '../facts/provider-snapshot.ts';
import type { PaidPeriod } from './link-orders.ts';

/** What became of a charge after it was paid. */
export interface Loss {
  /** Given back so far, gross, in minor units. */
  refunded: number;
  isDisputed: boolean;
  /** All of it was given back. */
  isRefunded: boolean;
  /** Credits of its period that it does not pay for any more. */
  credits: number;
}

/** What was given back of a charge, measured by what was booked for it. A dispute takes all, and never more than that. */
export function projectLoss(
  snapshot: ProviderSnapshot,
  { paymentKey, amount, order }: Pick<PaidPeriod, 'paymentKey' | 'amount' | 'order'>,
): Loss {
  const { refunded = 0, isAll = false } = snapshot.refunds.get(paymentKey) ?? {};
  const isDisputed = snapshot.disputes.has(paymentKey);
  const isRefunded = isAll || refunded >= amount;
  const credits = isDisputed || isRefunded ? order.credits : refundTarget(order.credits, refunded, amount);
  return { refunded, isDisputed, isRefunded, credits };
}

/** True when a charge does not pay for anything any more. */
export function isLost({ isDisputed, isRefunded }: Loss): boolean {
  return isDisputed || isRefunded;
}
