import type { Charge } from '#contract/billing.ts';
import type { ProviderSnapshot } from '../facts/provider-snapshot.ts';
import type { PaidPeriod } from './link-orders.ts';

/** A charge as its payer sees it. */
export function presentCharge(snapshot: ProviderSnapshot, paid: PaidPeriod): Charge {
  const { order, paymentKey, transactionId, paidAt, amount, start, end } = paid;
  return {
    transactionId,
    paidAt,
    amountMinor: amount,
    currency: order.currency,
    refundedMinor: snapshot.refunds.get(paymentKey)?.refunded ?? 0,
    disputed: snapshot.disputes.has(paymentKey),
    periodStart: start,
    periodEnd: end,
    credits: order.credits,
  };
}
