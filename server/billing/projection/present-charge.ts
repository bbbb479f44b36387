import type { Charge } from '#contract/billing.ts';
import type { FactBook } from '../facts/fact-book.ts';
import type { PaidPeriod } from './link-orders.ts';

/** A charge as its payer sees it. */
export function presentCharge(book: FactBook, paid: PaidPeriod): Charge {
  const { order, paymentKey, transactionId, paidAt, amount, start, end } = paid;
  return {
    transactionId,
    paidAt,
    amountMinor: amount,
    currency: order.currency,
    refundedMinor: book.refunds.get(paymentKey)?.refunded ?? 0,
    disputed: book.disputes.has(paymentKey),
    periodStart: start,
    periodEnd: end,
    credits: order.credits,
  };
}
