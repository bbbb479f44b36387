import { DAY_MS } from '#contract/time.ts';
import { ownIds } from '../facts/external-ref-rules.ts';
import { isWholePeriod, type Period, periodOf } from '../facts/period-rules.ts';
import {
  checkoutsOf,
  type PaymentEntry,
  type ProviderSnapshot,
  type Sum,
} from '../facts/provider-snapshot.ts';
import type { BillingOrder, Booking, PaidPeriod, QuarantineReason } from './link-orders.ts';
import type { OrdersBySubscription } from './link-subscriptions.ts';
import type { Offer } from './list-offers.ts';

/** The orders, subscriptions and bookings that a payment is matched with. */
interface World {
  snapshot: ProviderSnapshot;
  byId: ReadonlyMap<string, BillingOrder>;
  bySubscription: OrdersBySubscription;
  /** Buckets booked before, by payment key. */
  booked: ReadonlyMap<string | null, Booking>;
  offers: readonly Offer[];
}

/**
 * The order and period that a payment pays, and what the operator should know of it. `reason` beside `paid`: it pays although that
 * contradicts.
 */
export interface Recognised {
  paid: PaidPeriod | null;
  reason: QuarantineReason | null;
  orderId: string | null;
}

/** A day is far more than the difference between two records of one period, and far less than between two periods. */
const PERIOD_SPREAD_MS = DAY_MS;
/** Longer than any hosted checkout stays open: a period that begins later is not the first one of its order. */
const CHECKOUT_LIFE_MS = 3 * DAY_MS;

/**
 * The order and period that a payment pays. It is enough that one source reports what fits the order; another one that reports otherwise
 * is a reason for the operator. Where the facts are undecided, the earlier booking decides.
 */
export function recognisePayment(world: World, payment: PaymentEntry): Recognised {
  const booking = world.booked.get(keyOf(payment));
  const observed = recogniseObserved(world, payment);
  if (!booking || (observed.paid && agrees(observed.paid, booking, payment))) return observed;
  const paid = readBooked(world, payment, booking);
  return paid ? { paid, reason: observed.reason ?? 'contradictory', orderId: paid.order.id } : observed;
}

/** The orders that a payment is for: its own id decides, else what it was found to pay, else the order of its subscription. */
export function orderIdsOf(payment: PaymentEntry, bySubscription: OrdersBySubscription): string[] {
  if (payment.orderIds.length > 0) return [...ownIds(payment.orderIds)];
  if (payment.matchedOrderIds.length > 0) return [...payment.matchedOrderIds];
  const bound = payment.subscriptionIds.flatMap((id) => [
    ...(bySubscription.get(`${payment.provider}:${id}`) ?? []),
  ]);
  return [...new Set(bound)];
}

function keyOf({ provider, transactionId }: PaymentEntry): string {
  return `${provider}:${transactionId}`;
}

const refuse = (reason: QuarantineReason, orderId: string | null): Recognised => ({
  paid: null,
  reason,
  orderId,
});

function recogniseObserved(world: World, payment: PaymentEntry): Recognised {
  const [orderId, ...others] = orderIdsOf(payment, world.bySubscription);
  if (orderId === undefined) {
    const [guess] = payment.guessedOrderIds;
    return guess === undefined ? refuse('order_unknown', null) : refuse('inferred', guess);
  }
  const order = world.byId.get(orderId);
  if (!order) return refuse('order_unknown', null);
  if (others.length > 0) return refuse('contradictory', orderId);
  const stranger = strangerTo(world.snapshot, payment, order);
  if (stranger) return refuse(stranger, orderId);
  const paid = readPaid(world, payment, order);
  if (typeof paid === 'string') return refuse(paid, orderId);
  return { paid, reason: isContradictory(payment) ? 'contradictory' : null, orderId };
}

function strangerTo(
  snapshot: ProviderSnapshot,
  payment: PaymentEntry,
  order: BillingOrder,
): QuarantineReason | null {
  if (payment.provider !== order.provider) return 'other_provider';
  const users = ownIds(checkoutsOf(snapshot, order).flatMap(({ userIds }) => userIds));
  return users.some((id) => id !== order.userId) ? 'other_user' : null;
}

function isContradictory({ sums, periods, productIds, subscriptionIds }: PaymentEntry): boolean {
  const sets = [sums.map(({ amount }) => amount), sums.flatMap(({ currency }) => currency ?? [])];
  const observed = [...sets, productIds, subscriptionIds];
  return observed.some((values) => new Set<string | number>(values).size > 1) || isSpread(periods);
}

function isSpread(periods: readonly Period[]): boolean {
  const far = (times: number[]) => Math.max(...times) - Math.min(...times) > PERIOD_SPREAD_MS;
  return far(periods.map(({ start }) => start)) || far(periods.map(({ end }) => end));
}

/** The terms of its order that the payment pays: the plan that was ordered, else the one other plan that has its price and length. */
function readPaid(world: World, payment: PaymentEntry, order: BillingOrder): PaidPeriod | QuarantineReason {
  const ordered = readTerms(world, payment, order, false);
  if (typeof ordered !== 'string') return ordered;
  const [other, ...more] = world.offers
    .filter((offer) => offer.provider === order.provider && offer.productId !== order.productId)
    .map((offer) => readTerms(world, payment, { ...order, ...offer }, true))
    .filter((paid) => typeof paid !== 'string');
  return other && more.length === 0 ? other : ordered;
}

/** The period that the payment pays on these terms, or what it lacks. What a source leaves open contradicts nothing. */
function readTerms(
  world: World,
  payment: PaymentEntry,
  order: BillingOrder,
  isSwitched: boolean,
): PaidPeriod | QuarantineReason {
  const { productIds, sums } = payment;
  if (productIds.length > 0 && !productIds.includes(order.productId)) return 'other_product';
  const observed = sums.filter(({ currency }) => currency !== null);
  const inCurrency = observed.filter(({ currency }) => currency === order.currency);
  if (observed.length > 0 && inCurrency.length === 0) return 'other_currency';
  const amounts = inCurrency.filter((sum) => isPrice(sum, order)).map(({ amount }) => amount);
  if (observed.length > 0 && amounts.length === 0) return 'other_amount';
  const period = periodFor(world, payment, order);
  if (observed.length === 0 || !period) return 'incomplete';
  if (!isWholePeriod(period, order.cycle)) return 'other_period';
  return toPaidPeriod(world, payment, { order, isSwitched, period, amount: Math.min(...amounts) });
}

/** Our price is what is charged before tax, or with it where tax is inside. */
function isPrice({ amount, net }: Sum, { priceMinor }: BillingOrder): boolean {
  return amount >= priceMinor && (amount === priceMinor || net === priceMinor);
}

/**
 * The observed period; of several the first that is as long as what was sold, else the first. An unknown one is counted from
 * the first observed period of the order, else from its first charge, else from the time of the order.
 */
function periodFor(world: World, payment: PaymentEntry, order: BillingOrder): Period | null {
  const observed = payment.periods.toSorted((a, b) => a.start - b.start || a.end - b.end);
  const [first] = observed;
  if (first) return observed.find((each) => isWholePeriod(each, order.cycle)) ?? first;
  const [paidAt] = payment.paidAts;
  return paidAt === undefined ? null : periodOf(paidAt, anchorOf(world, order), order.cycle);
}

function anchorOf({ snapshot, bySubscription }: World, { id, provider, createdAt }: BillingOrder): number {
  const ordered = createdAt.getTime();
  const own = [...snapshot.payments.values()].filter(
    (each) => each.provider === provider && orderIdsOf(each, bySubscription).includes(id),
  );
  const isFirst = (time: number) => Math.abs(time - ordered) < CHECKOUT_LIFE_MS;
  const starts = own.flatMap(({ periods }) => periods.map(({ start }) => start)).filter(isFirst);
  if (starts.length > 0) return Math.min(...starts);
  const paidAts = own.flatMap((each) => each.paidAts).filter(isFirst);
  return Math.min(...(paidAts.length > 0 ? paidAts : [ordered]));
}

function toPaidPeriod(
  { bySubscription }: World,
  payment: PaymentEntry,
  { period, ...paid }: { order: BillingOrder; isSwitched: boolean; period: Period; amount: number },
): PaidPeriod {
  const { provider, transactionId, paidAts, subscriptionIds } = payment;
  const isOwn = (id: string) => bySubscription.get(`${provider}:${id}`)?.has(paid.order.id);
  return {
    start: period.start,
    end: period.end,
    ...paid,
    transactionId,
    paymentKey: keyOf(payment),
    subscriptionId: subscriptionIds.find(isOwn) ?? null,
    paidAt: paidAts[0] ?? period.start,
  };
}

/** Whether the facts still agree with the booking. Where two facts report different periods, the booking decides. */
function agrees({ order }: PaidPeriod, booking: Booking, { periods }: PaymentEntry): boolean {
  return order.id === booking.orderId && order.credits === booking.amount && !isSpread(periods);
}

function readBooked(world: World, payment: PaymentEntry, booking: Booking): PaidPeriod | null {
  const ordered = world.byId.get(booking.orderId ?? '');
  if (!ordered) return null;
  const terms = world.offers.find(
    ({ provider, credits }) => provider === ordered.provider && credits === booking.amount,
  );
  const isSwitched = ordered.credits !== booking.amount;
  const order = { ...ordered, ...(isSwitched ? terms : {}), credits: booking.amount };
  const end = booking.expiresAt.getTime();
  const period = payment.periods.find((each) => Math.abs(each.end - end) <= PERIOD_SPREAD_MS) ?? {
    start: booking.startsAt.getTime(),
    end,
  };
  const fitting = payment.sums.filter((sum) => isPrice(sum, order)).map(({ amount }) => amount);
  const amount = fitting.length > 0 ? Math.min(...fitting) : order.priceMinor;
  return toPaidPeriod(world, payment, { order, isSwitched, period, amount });
}
