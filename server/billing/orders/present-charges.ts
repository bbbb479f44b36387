import type { Charge } from '#contract/billing.ts';
import { type Billing, listGranting } from '../state/read-billing.ts';

/** The charges of an order as its payer sees them, oldest first. One that pays a period which another had paid granted nothing. */
export function presentCharges(
  billing: Pick<Billing, 'snapshot' | 'known' | 'paid' | 'projection'>,
  orderId: string,
): Charge[] {
  const { snapshot, paid } = billing;
  const granting = listGranting(billing);
  const own = paid.filter(({ order }) => order.id === orderId);
  return own.map(({ order, paymentKey, transactionId, paidAt, amount, start, end }) => ({
    transactionId,
    paidAt,
    amountMinor: amount,
    currency: order.currency,
    refundedMinor: snapshot.refunds.get(paymentKey)?.refunded ?? 0,
    disputed: snapshot.disputes.has(paymentKey),
    periodStart: start,
    periodEnd: end,
    credits: granting.has(paymentKey) ? order.credits : 0,
  }));
}
