import type { PaymentFact, SubscriptionFact } from '../facts.ts';

/** The provider's clocks may differ by this much between two records of one act. */
const SLACK_MS = 10 * 60_000;

function isSameCustomer(payment: PaymentFact, subscription: SubscriptionFact): boolean {
  if (payment.customerEmail !== null && subscription.customerEmail !== null)
    return payment.customerEmail.toLowerCase() === subscription.customerEmail.toLowerCase();
  return payment.customerId !== null && payment.customerId === subscription.customerId;
}

/** Was the payment made when the subscription's present period began. */
function paysPresentPeriod(payment: PaymentFact, { periodStart, periodEnd }: SubscriptionFact): boolean {
  if (!payment.paidAt || !periodStart || !periodEnd) return false;
  const at = payment.paidAt.getTime();
  return at >= periodStart.getTime() - SLACK_MS && at < periodEnd.getTime() - SLACK_MS;
}

/**
 * The one subscription that a payment is for, by id, else by customer, product and period; null when none or several fit. The
 * provider links the two in no other way.
 */
export function matchSubscription(
  payment: PaymentFact,
  subscriptions: readonly SubscriptionFact[],
): SubscriptionFact | null {
  if (payment.subscriptionId !== null)
    return subscriptions.find((each) => each.subscriptionId === payment.subscriptionId) ?? null;
  const fitting = subscriptions.filter(
    (each) =>
      isSameCustomer(payment, each) &&
      (payment.productId === null || payment.productId === each.productId) &&
      paysPresentPeriod(payment, each),
  );
  const ids = new Set(fitting.map((each) => each.subscriptionId));
  return ids.size === 1 ? (fitting[0] ?? null) : null;
}

/** The payment with what its subscription tells of product and period. */
export function bindPayment(payment: PaymentFact, subscription: SubscriptionFact | null): PaymentFact {
  if (!subscription) return payment;
  const isPresent = paysPresentPeriod(payment, subscription);
  return {
    ...payment,
    subscriptionId: subscription.subscriptionId,
    productId: payment.productId ?? subscription.productId,
    periodStart: payment.periodStart ?? (isPresent ? subscription.periodStart : null),
    periodEnd: payment.periodEnd ?? (isPresent ? subscription.periodEnd : null),
  };
}
