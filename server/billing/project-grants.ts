import type { FactBook } from './fact-book.ts';
import type { PaidPeriod } from './link-orders.ts';
import { refundTarget } from './rules.ts';

/** A bucket that a paid period entitles to; `grantCredits` books it once. */
export interface WantedGrant {
  /** The order and the day on which the period begins, `creem:<order>:2026-09-01`: one bucket per period. */
  sourceKey: string;
  /** The charge, `creem:tran_1`: one bucket per charge. */
  paymentKey: string;
  orderId: string;
  /** Credits. */
  amount: number;
  startsAt: Date;
  expiresAt: Date;
}

/** How much of a charge's bucket is to be taken back in all; `revokeCredits` only ever raises it. */
export interface WantedRevocation {
  paymentKey: string;
  orderId: string;
  /** Credits. */
  target: number;
  reason: 'refund' | 'dispute';
}

/** The buckets of the paid periods, and charges of a period that another one paid already: `twice`. */
export function projectGrants(paid: readonly PaidPeriod[]): { grants: WantedGrant[]; twice: PaidPeriod[] } {
  const grants = new Map<string, WantedGrant>();
  const twice: PaidPeriod[] = [];
  for (const period of paid) {
    const { order, paymentKey } = period;
    const sourceKey = `${order.provider}:${order.id}:${new Date(period.start).toISOString().slice(0, 10)}`;
    if (grants.has(sourceKey)) {
      twice.push(period);
      continue;
    }
    grants.set(sourceKey, {
      sourceKey,
      paymentKey,
      orderId: order.id,
      amount: order.credits,
      startsAt: new Date(period.start),
      expiresAt: new Date(period.end),
    });
  }
  return { grants: [...grants.values()], twice };
}

/** What refunds and disputes take back. A dispute takes all, a refund its share of what was charged, and never both. */
export function projectRevocations(book: FactBook, paid: readonly PaidPeriod[]): WantedRevocation[] {
  return paid.flatMap(({ paymentKey, order, amount }) => {
    const refunded = book.refunds.get(paymentKey)?.refunded ?? 0;
    const isDisputed = book.disputes.has(paymentKey);
    const target = isDisputed ? order.credits : refundTarget(order.credits, refunded, amount);
    if (target === 0) return [];
    return { paymentKey, orderId: order.id, target, reason: isDisputed ? 'dispute' : 'refund' };
  });
}
