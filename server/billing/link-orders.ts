import type { Cycle, PlanKey, Provider } from '#contract/billing.ts';
import type { CheckoutEntry, FactBook, PaymentEntry, Told } from './fact-book.ts';
import { isWholePeriod, type Period, periodOf } from './rules.ts';

/** What the user ordered, as it was frozen when the checkout began. */
export interface BillingOrder {
  id: string;
  userId: string;
  provider: Provider;
  /** The provider's id of the checkout; null when the call that made it brought no answer. */
  checkoutId: string | null;
  /** The provider's id of what is sold. */
  productId: string;
  planKey: PlanKey;
  cycle: Cycle;
  /** Before tax, in minor units of `currency`. */
  priceMinor: number;
  currency: string;
  /** Granted for each paid period. */
  credits: number;
  createdAt: Date;
}

/** Why something that was told does not act. `incomplete` and `unlinked` end when the provider tells more. */
export type QuarantineReason =
  | 'not_understood'
  | 'unknown_status'
  | 'other_mode'
  | 'order_unknown'
  | 'inferred'
  | 'contradictory'
  | 'other_provider'
  | 'other_user'
  | 'other_product'
  | 'other_currency'
  | 'other_amount'
  | 'other_period'
  | 'incomplete'
  | 'unlinked'
  | 'paid_twice'
  | 'possible_dispute'
  | 'account_deleted';

/** Something an operator should look at. */
export interface Quarantined {
  provider: Provider;
  /** The provider's id of the charge, subscription or checkout, or the type of the event. */
  subject: string;
  /** Null: no order of the user is known to be meant. */
  orderId: string | null;
  reason: QuarantineReason;
}

/** A charge that pays one period of one of the user's orders. */
export interface PaidPeriod extends Period {
  paymentKey: string;
  order: BillingOrder;
  transactionId: string;
  /** Null: not told yet. */
  subscriptionId: string | null;
  paidAt: number;
  /** Gross, in minor units. */
  amount: number;
}

type Judged = { paid: PaidPeriod } | { reason: QuarantineReason; orderId: string | null };

/** A day is far more than the difference between two records of one period, and far less than between two periods. */
const PERIOD_SPREAD_MS = 86_400_000;

/**
 * Says for every payment in the book which of the orders it pays, or why it pays none: only what agrees with the order in
 * provider, user, product, currency, amount and length counts. Sorted by time.
 */
export function linkOrders(book: FactBook, orders: readonly BillingOrder[]) {
  const byId = new Map(orders.map((order) => [order.id, order]));
  const bySubscription = ordersOfSubscriptions(book, orders);
  const paid: PaidPeriod[] = [];
  const quarantine: Quarantined[] = [];
  for (const payment of book.payments.values()) {
    const orderIds = orderIdsOf(payment, bySubscription);
    const judged = judge(book, payment, orderIds, byId);
    if ('paid' in judged) paid.push(judged.paid);
    else quarantine.push({ provider: payment.provider, subject: payment.transactionId, ...judged });
  }
  paid.sort((a, b) => a.start - b.start || a.paidAt - b.paidAt || (a.paymentKey < b.paymentKey ? -1 : 1));
  return { paid, quarantine, bySubscription };
}

/** What is known of the checkout of an order, by our id or by the provider's. */
export function checkoutsOf(book: FactBook, order: BillingOrder): CheckoutEntry[] {
  const keys = [`${order.provider}:${order.id}`, `${order.provider}:checkout:${order.checkoutId}`];
  return keys.map((key) => book.checkouts.get(key)).filter((entry) => entry !== undefined);
}

/** The orders that each subscription (`provider:id`) is said to belong to. */
function ordersOfSubscriptions(book: FactBook, orders: readonly BillingOrder[]): Map<string, Set<string>> {
  const bound = new Map<string, Set<string>>();
  const bind = (provider: Provider, subscriptionId: string, orderId: string) => {
    const key = `${provider}:${subscriptionId}`;
    bound.set(key, (bound.get(key) ?? new Set()).add(orderId));
  };
  for (const order of orders)
    for (const { subscriptionIds } of checkoutsOf(book, order))
      for (const id of subscriptionIds) bind(order.provider, id, order.id);
  for (const { provider, subscriptionId, orderIds } of book.subscriptions.values())
    for (const orderId of orderIds) bind(provider, subscriptionId, orderId);
  for (const { provider, subscriptionIds, orderIds } of book.payments.values())
    for (const id of subscriptionIds) for (const orderId of orderIds) bind(provider, id, orderId);
  return bound;
}

/** A payment names its order, or its subscription does. */
export function orderIdsOf(
  payment: PaymentEntry,
  bySubscription: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  const bound = payment.subscriptionIds.flatMap((id) => [
    ...(bySubscription.get(`${payment.provider}:${id}`) ?? []),
  ]);
  return [...new Set([...payment.orderIds, ...bound])];
}

function judge(
  book: FactBook,
  payment: PaymentEntry,
  orderIds: string[],
  byId: Map<string, BillingOrder>,
): Judged {
  const [orderId] = orderIds;
  if (orderId === undefined) {
    const [guess] = payment.guessedOrderIds;
    return { reason: guess === undefined ? 'order_unknown' : 'inferred', orderId: guess ?? null };
  }
  const order = byId.get(orderId);
  if (!order) return { reason: 'order_unknown', orderId: null };
  if (orderIds.length > 1 || isContradictory(payment)) return { reason: 'contradictory', orderId };
  const reason = contradictsOrder(book, payment, order);
  if (reason) return { reason, orderId };
  const [amount] = payment.amounts;
  const period = periodFor(book, payment, order);
  if (amount === undefined || payment.currencies.length === 0 || !period)
    return { reason: 'incomplete', orderId };
  if (!isWholePeriod(period, order.cycle)) return { reason: 'other_period', orderId };
  const [subscriptionId = null] = payment.subscriptionIds;
  const { provider, transactionId } = payment;
  const paidAt = payment.paidAts[0] ?? period.start;
  return {
    paid: {
      ...period,
      paymentKey: `${provider}:${transactionId}`,
      order,
      transactionId,
      subscriptionId,
      paidAt,
      amount,
    },
  };
}

function isContradictory({ starts, ends, ...told }: PaymentEntry): boolean {
  const sets = [told.amounts, told.currencies, told.productIds, told.subscriptionIds];
  return sets.some((set) => set.length > 1) || spread(starts) || spread(ends);
}

function spread(times: Told<number>): boolean {
  return (times.at(-1) ?? 0) - (times[0] ?? 0) > PERIOD_SPREAD_MS;
}

/** What a source leaves open contradicts nothing. Our price is what is charged before tax, or with it where tax is inside. */
function contradictsOrder(
  book: FactBook,
  payment: PaymentEntry,
  order: BillingOrder,
): QuarantineReason | null {
  const users = checkoutsOf(book, order).flatMap(({ userIds }) => userIds);
  if (payment.provider !== order.provider) return 'other_provider';
  if (users.some((id) => id !== order.userId)) return 'other_user';
  if (payment.productIds.some((id) => id !== order.productId)) return 'other_product';
  if (payment.currencies.some((currency) => currency !== order.currency)) return 'other_currency';
  const isPrice = [...payment.amounts, ...payment.nets].includes(order.priceMinor);
  const isLess = payment.amounts.some((amount) => amount < order.priceMinor);
  return payment.amounts.length > 0 && (isLess || !isPrice) ? 'other_amount' : null;
}

function periodFor(book: FactBook, payment: PaymentEntry, order: BillingOrder): Period | null {
  const start = payment.starts[0];
  const end = payment.ends.at(-1);
  if (start !== undefined && end !== undefined) return { start, end };
  const paidAt = payment.paidAts[0];
  return paidAt === undefined ? null : periodOf(paidAt, anchorOf(book, payment, order), order.cycle);
}

/** The first moment that is told of the subscription which a charge belongs to. */
function anchorOf(book: FactBook, payment: PaymentEntry, order: BillingOrder): number {
  const times = [...book.payments.values()]
    .filter((each) => each.provider === payment.provider && isSameSubscription(each, payment, order.id))
    .flatMap(({ starts, paidAts }) => [...starts.slice(0, 1), ...paidAts.slice(0, 1)]);
  return Math.min(...times);
}

function isSameSubscription(each: PaymentEntry, payment: PaymentEntry, orderId: string): boolean {
  return (
    each === payment ||
    each.orderIds.includes(orderId) ||
    each.subscriptionIds.some((id) => payment.subscriptionIds.includes(id))
  );
}
