import type { Cycle, PlanKey } from '#contract/billing.ts';
import { PLAN_KEYS, PROVIDERS, type Provider } from '#contract/choices.ts';
import { mergeFacts } from '#server/billing/facts/merge-facts.ts';
import { addMonths, GRACE_MS } from '#server/billing/facts/period-rules.ts';
import { EMPTY_SNAPSHOT } from '#server/billing/facts/provider-snapshot.ts';
import { type BillingOrder, linkOrders } from '#server/billing/projection/link-orders.ts';
import type { Standing } from '#server/billing/projection/list-billing-mails.ts';
import type { Offer } from '#server/billing/projection/list-offers.ts';
import { projectBilling } from '#server/billing/projection/project-billing.ts';
import type {
  CheckoutFact,
  Fact,
  PaymentFact,
  RefundFact,
  SubscriptionFact,
  SubscriptionStatus,
} from '#server/billing/providers/facts.ts';
import { STATUS_RANK } from '#server/billing/providers/facts.ts';
import { priceOf } from '#server/catalogue/rules.ts';

export const DAY = 86_400_000;
export const USER = 'user-1';
export const BEGIN = Date.UTC(2027, 11, 31, 9, 30);

/** One webhook: an id and what it reports. */
export interface Delivery {
  id: string;
  provider: Provider;
  at: number;
  facts: Fact[];
}

/** One charge as it really was. */
export interface Charge {
  transactionId: string;
  /** On the terms that it pays: those of another plan once the provider switched the subscription. */
  terms: BillingOrder;
  /** Counted from 0; two charges of one number pay one period. */
  period: number;
  start: number;
  end: number;
  gross: number;
  refunded: number;
  disputed: boolean;
}

/** One subscription as it really is. */
export interface Contract {
  order: BillingOrder;
  subscriptionId: string;
  /** What its next period is charged for. */
  terms: BillingOrder;
  charges: Charge[];
  status: SubscriptionStatus;
  updatedAt: number;
}

const CYCLES = ['monthly', 'annual'] as const;

const productOf = (provider: Provider, planKey: PlanKey, cycle: Cycle) => `${provider}-${planKey}-${cycle}`;

export function orderOf(
  id: string,
  createdAt: number,
  what: { provider?: Provider; planKey?: PlanKey; cycle?: Cycle } = {},
): BillingOrder {
  const { provider = 'creem', planKey = 'gemini_basic', cycle = 'monthly' } = what;
  const { totalCents, credits } = priceOf(planKey, cycle);
  return {
    ...{ id, provider, planKey, cycle, credits, userId: USER, currency: 'USD', priceMinor: totalCents },
    checkoutId: `ch_${id}`,
    productId: productOf(provider, planKey, cycle),
    createdAt: new Date(createdAt),
  };
}

/** Everything that is sold. */
export const OFFERS: readonly Offer[] = PROVIDERS.flatMap((provider) =>
  PLAN_KEYS.flatMap((planKey) => CYCLES.map((cycle) => orderOf('', 0, { provider, planKey, cycle }))),
).map(({ provider, productId, planKey, cycle, priceMinor, currency, credits }) => {
  return { provider, productId, planKey, cycle, priceMinor, currency, credits };
});

const told = (orderId: string | null) =>
  ({ mode: 'test', orderId, customerId: 'cust_1', customerEmail: 'a@example.test' }) as const;

export function checkoutFact(order: BillingOrder, over: Partial<CheckoutFact> = {}): CheckoutFact {
  return {
    kind: 'checkout',
    ...told(order.id),
    ...{ checkoutId: order.checkoutId, status: 'completed', productId: order.productId },
    ...{ subscriptionId: `sub_${order.id}`, userId: order.userId, at: order.createdAt },
    ...over,
  };
}

/** The first month or year of the order's subscription, paid in full, unless said otherwise. */
export function paymentFact(order: BillingOrder, over: Partial<PaymentFact> = {}): PaymentFact {
  const start = over.periodStart ?? order.createdAt;
  const months = order.cycle === 'monthly' ? 1 : 12;
  return {
    kind: 'payment',
    ...told(order.id),
    ...{ transactionId: `tran_${order.id}`, amountMinor: order.priceMinor, netMinor: order.priceMinor },
    ...{ currency: order.currency, productId: order.productId, subscriptionId: `sub_${order.id}` },
    ...{ periodStart: start, periodEnd: new Date(addMonths(start.getTime(), months)), paidAt: start },
    match: 'told',
    ...over,
  };
}

export function subscriptionFact(
  order: BillingOrder,
  status: SubscriptionStatus,
  at: number,
  over: Partial<SubscriptionFact> = {},
): SubscriptionFact {
  return {
    kind: 'subscription',
    ...told(null),
    ...{ subscriptionId: `sub_${order.id}`, status, rank: STATUS_RANK[status], productId: order.productId },
    ...{ periodStart: null, periodEnd: null, updatedAt: new Date(at) },
    cancelAt: status === 'scheduled_cancel' || status === 'canceled' ? new Date(at) : null,
    ...over,
  };
}

export function refundFact(
  payment: Pick<PaymentFact, 'transactionId' | 'amountMinor'>,
  refundedMinor: number | null,
  over: Partial<RefundFact> = {},
): RefundFact {
  return {
    kind: 'refund',
    ...told(null),
    ...{ transactionId: payment.transactionId, refundedMinor, paidMinor: payment.amountMinor },
    ...{ refundId: null, ownMinor: null, status: 'succeeded', subscriptionId: null, at: null },
    ...over,
  };
}

export function disputeFact(transactionId: string): Fact {
  return { kind: 'dispute', ...told(null), transactionId, subscriptionId: null, at: null };
}

/** Where the purchases of one order stand at a moment, as the mails about them see it. `endings`: what is to be cancelled. */
export function standingAt(
  now: number,
  facts: readonly Fact[],
  order: BillingOrder,
  endings: readonly string[] = [],
): Standing {
  const snapshot = mergeFacts(EMPTY_SNAPSHOT, { provider: order.provider, mode: 'test', facts: [...facts] });
  const { subscriptions, grants } = projectBilling(snapshot, [order], { now, graceMs: GRACE_MS });
  const { paid } = linkOrders(snapshot, [order]);
  const granting = new Set(grants.map(({ paymentKey }) => paymentKey));
  return { snapshot, subscriptions, paid, granting, endings: new Map(endings.map((key) => [key, {}])), now };
}
