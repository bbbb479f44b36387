import { MINUTE_MS } from '#contract/time.ts';
import type { PaymentFact, SubscriptionFact } from '../facts.ts';
import type { Fields } from '../fields.ts';
import { readBagelpaySubscription } from './read-subscription.ts';

/** The provider's clocks may differ by this much between two records of one act. */
const SLACK_MS = 10 * MINUTE_MS;

/** A row of the list of subscriptions. */
export interface ListedSubscription {
  snapshot: SubscriptionFact;
  /** Null: unknown. */
  beganAt: Date | null;
}

/** The subscription in a row of the list or in a single answer. */
export function readListed(item: Fields): ListedSubscription[] {
  const snapshot = readBagelpaySubscription(item, { owner: item, impliedStatus: null, at: null });
  return snapshot ? [{ snapshot, beganAt: item.time('created_at') }] : [];
}

function isSameCustomer(payment: PaymentFact, subscription: SubscriptionFact): boolean {
  if (payment.customerEmail !== null && subscription.customerEmail !== null)
    return payment.customerEmail.toLowerCase() === subscription.customerEmail.toLowerCase();
  return payment.customerId !== null && payment.customerId === subscription.customerId;
}

/** True when the payment was made as the subscription's present period began. */
function paysPresentPeriod(payment: PaymentFact, { periodStart, periodEnd }: SubscriptionFact): boolean {
  if (!payment.paidAt || !periodStart || !periodEnd) return false;
  const at = payment.paidAt.getTime();
  return at >= periodStart.getTime() - SLACK_MS && at < periodEnd.getTime() - SLACK_MS;
}

/** True when this payment began the subscription. */
function isBegunBy(payment: PaymentFact, { beganAt }: ListedSubscription): boolean {
  if (!payment.paidAt || !beganAt) return false;
  return Math.abs(payment.paidAt.getTime() - beganAt.getTime()) <= SLACK_MS;
}

function isSameThing(payment: PaymentFact, { snapshot }: ListedSubscription): boolean {
  const { productId } = payment;
  return isSameCustomer(payment, snapshot) && (productId === null || productId === snapshot.productId);
}

function onlyOne(fitting: readonly ListedSubscription[]): SubscriptionFact | null {
  const ids = new Set(fitting.map(({ snapshot }) => snapshot.subscriptionId));
  return ids.size === 1 ? (fitting[0]?.snapshot ?? null) : null;
}

/** Those that began nearest to the payment: a page that is paid in two tabs begins two, each with its own charge. */
function nearest({ paidAt }: PaymentFact, begun: readonly ListedSubscription[]): ListedSubscription[] {
  const distance = ({ beganAt }: ListedSubscription) => Math.abs(Number(beganAt) - Number(paidAt));
  const least = Math.min(...begun.map(distance));
  return begun.filter((each) => distance(each) === least);
}

/**
 * The one subscription that a payment began, by id, else by customer, product and time; null when none or several fit. The provider
 * links the two in no other way, and one that began long before is another purchase's.
 */
export function matchBegun(
  payment: PaymentFact,
  listed: readonly ListedSubscription[],
): SubscriptionFact | null {
  if (payment.subscriptionId !== null)
    return listed.find((each) => each.snapshot.subscriptionId === payment.subscriptionId)?.snapshot ?? null;
  const begun = listed.filter((each) => isSameThing(payment, each) && isBegunBy(payment, each));
  return onlyOne(nearest(payment, begun));
}

/** The one subscription that a payment without an order began or else renews in its present period: a guess. */
export function matchPaid(
  payment: PaymentFact,
  listed: readonly ListedSubscription[],
): SubscriptionFact | null {
  const fitting = listed.filter((each) => isSameThing(payment, each));
  if (payment.subscriptionId !== null || fitting.some((each) => isBegunBy(payment, each)))
    return matchBegun(payment, fitting);
  return onlyOne(fitting.filter(({ snapshot }) => paysPresentPeriod(payment, snapshot)));
}

/** The payment with what its subscription reports of product and period. */
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
