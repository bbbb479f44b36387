import type { PaymentFact } from '../facts.ts';

/**
 * The payment of a webhook with what the provider's own record of the charge says. The record wins for money and period, so
 * that every way of hearing of a charge ends in the same fact; whose it is stays as the webhook told.
 */
export function completePayment(told: PaymentFact, record: PaymentFact | null): PaymentFact {
  if (!record) return told;
  return {
    ...told,
    mode: record.mode ?? told.mode,
    customerId: told.customerId ?? record.customerId,
    customerEmail: told.customerEmail ?? record.customerEmail,
    subscriptionId: told.subscriptionId ?? record.subscriptionId,
    productId: told.productId ?? record.productId,
    orderId: told.orderId ?? record.orderId,
    amountMinor: record.amountMinor ?? told.amountMinor,
    netMinor: record.netMinor ?? told.netMinor,
    currency: record.currency ?? told.currency,
    periodStart: record.periodEnd ? record.periodStart : told.periodStart,
    periodEnd: record.periodEnd ?? told.periodEnd,
    paidAt: record.paidAt ?? told.paidAt,
  };
}
