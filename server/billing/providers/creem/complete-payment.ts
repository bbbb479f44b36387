import type { PaymentFact } from '../facts.ts';

/**
 * The payment of a webhook with what the provider's own record of the charge says. The record wins for money and period, so
 * that every source of a charge gives the same fact; its owner stays as the webhook says.
 */
export function completePayment(reported: PaymentFact, record: PaymentFact | null): PaymentFact {
  if (!record) return reported;
  return {
    ...reported,
    mode: record.mode ?? reported.mode,
    customerId: reported.customerId ?? record.customerId,
    customerEmail: reported.customerEmail ?? record.customerEmail,
    subscriptionId: reported.subscriptionId ?? record.subscriptionId,
    productId: reported.productId ?? record.productId,
    orderId: reported.orderId ?? record.orderId,
    amountMinor: record.amountMinor ?? reported.amountMinor,
    netMinor: record.netMinor ?? reported.netMinor,
    currency: record.currency ?? reported.currency,
    periodStart: record.periodEnd ? record.periodStart : reported.periodStart,
    periodEnd: record.periodEnd ?? reported.periodEnd,
    paidAt: record.paidAt ?? reported.paidAt,
  };
}
