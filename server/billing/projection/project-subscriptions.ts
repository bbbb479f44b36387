import type { SubscriptionState } from '#contract/billing.ts';
import type { Provider } from '#contract/choices.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import {
  checkoutsOf,
  isRefundedInFull,
  type ProviderSnapshot,
  type SubscriptionEntry,
} from '../facts/provider-snapshot.ts';
import type { BillingOrder, PaidPeriod, UnpayingCharge } from './link-orders.ts';
import type { OrdersBySubscription } from './link-subscriptions.ts';
import { mergePeriods, type PaidGroup, standingOf } from './merge-periods.ts';

/** One subscription of the user at one moment. Times are epoch milliseconds. */
export interface ProjectedSubscription {
  /** The order on the terms of its present period. */
  order: BillingOrder;
  provider: Provider;
  /** Null: not known yet. */
  subscriptionId: string | null;
  customerId: string | null;
  state: SubscriptionState;
  /** Whether the provider will charge again, as far as we know. */
  renews: boolean;
  /** The start of the period paid now, else of the last one; null while nothing is paid. */
  currentPeriodStart: number | null;
  /** When the last paid period ends; null while nothing is paid. */
  paidUntil: number | null;
  /** When the plan stops being usable unless new facts arrive: `paidUntil`, plus the grace where it renews or lapsed. Null: not usable. */
  accessUntil: number | null;
  /** When free months may begin: `paidUntil`; an hour later while a renewal may still be on its way. Null while nothing is paid. */
  freeFrom: number | null;
  firstPaidAt: number | null;
  /** Whether the charge of the last period was refunded in full. */
  lastRefunded: boolean;
  /**
   * What became of its charges that pay nothing, of those after the last paid period where there is one: one is disputed, all were
   * refunded, or they are refused for good. Null where one may still pay, and without such charges. It changes no paid period.
   */
  setAside: 'disputed' | 'refunded' | 'refused' | null;
  /** Whether it was never paid for and its charges fail, which the provider may try again. It is ended like others, and is not shown. */
  isFailing: boolean;
  /** Whether it ended because the renewal was not paid: its charge failed, or it ended long after the last paid period. */
  hasLapsed: boolean;
  updatedAt: number;
}

/** The moment of the projection, and the grace of a late renewal. */
export interface Moment {
  now: number;
  graceMs: number;
}

interface Group {
  order: BillingOrder;
  entry: SubscriptionEntry | null;
  paid: PaidPeriod[];
  unpaying: UnpayingCharge[];
}

/** A renewal may be charged, and fail, so long before its period begins. */
const EARLY_CHARGE_MS = DAY_MS;
/** Within this time a renewal is found also where its webhook was lost. */
const RENEWAL_MS = HOUR_MS;
const ENDED = ['scheduled_cancel', 'canceled', 'paused'];
/**
 * Statuses by which a provider reports that it could not charge a renewal. Creem reports `expired` also when a period ends in that way,
 * and goes on trying.
 */
const UNPAID = ['past_due', 'unpaid', 'expired'];

interface Linked {
  paid: readonly PaidPeriod[];
  unpaying: readonly UnpayingCharge[];
  bySubscription: OrdersBySubscription;
}

/** Every subscription that the orders began, in no order. `linked` is what `linkOrders` found. */
export function projectSubscriptions(
  snapshot: ProviderSnapshot,
  orders: readonly BillingOrder[],
  linked: Linked,
  moment: Moment,
): ProjectedSubscription[] {
  return orders.flatMap((order) => {
    const groups = groupsOf(snapshot, order, linked);
    return groups.flatMap((group) => projectGroup(snapshot, group, moment) ?? []);
  });
}

/** An order begins one subscription, or two when its checkout was paid twice. Charges without an id belong to the first. */
function groupsOf(
  snapshot: ProviderSnapshot,
  order: BillingOrder,
  { bySubscription, ...charges }: Linked,
): Group[] {
  const paid = charges.paid.filter((each) => each.order.id === order.id);
  const unpaying = charges.unpaying.filter(({ provider }) => provider === order.provider);
  const isForOrder = (each: UnpayingCharge) => each.orderId === order.id;
  const ids = [...bySubscription]
    .filter(([key, orderIds]) => orderIds.has(order.id) && key.startsWith(`${order.provider}:`))
    .map(([key]) => key.slice(order.provider.length + 1))
    .sort();
  if (ids.length === 0) return [{ order, entry: null, paid, unpaying: unpaying.filter(isForOrder) }];
  return ids.map((id, index) => ({
    order,
    entry: snapshot.subscriptions.get(`${order.provider}:${id}`) ?? emptyEntry(order.provider, id),
    paid: paid.filter((each) => (each.subscriptionId ?? (index === 0 ? id : null)) === id),
    unpaying: unpaying.filter((each) =>
      each.subscriptionIds.length > 0 ? each.subscriptionIds.includes(id) : index === 0 && isForOrder(each),
    ),
  }));
}

function emptyEntry(provider: Provider, subscriptionId: string): SubscriptionEntry {
  const nothing = { orderIds: [], customerIds: [], latest: null, hasUnknownStatus: false, failedAt: null };
  return { provider, subscriptionId, ...nothing };
}

const NOTHING_PAID = {
  currentPeriodStart: null,
  paidUntil: null,
  accessUntil: null,
  lastRefunded: false,
  hasLapsed: false,
  freeFrom: null,
};

/**
 * One subscription at one moment; null where no payment is known or expected. Paid from 1 September to 1 October, with 3 days of grace: it
 * is `active` until 1 October, `past_due` until 4 October while its renewal is late (not where it was cancelled), then `expired`. A refunded
 * period does not count; a dispute of any period ends the access.
 */
function projectGroup(
  snapshot: ProviderSnapshot,
  group: Group,
  { now, graceMs }: Moment,
): ProjectedSubscription | null {
  const { order, entry, paid, unpaying } = group;
  const latest = entry?.latest ?? null;
  const renews = !(latest && (ENDED.includes(latest.status) || latest.cancelAt !== null));
  const facts = {
    order,
    provider: order.provider,
    subscriptionId: entry?.subscriptionId ?? null,
    customerId: entry?.customerIds.at(-1) ?? null,
    renews,
    firstPaidAt: paid[0]?.paidAt ?? null,
    updatedAt: Math.max(order.createdAt.getTime(), latest?.at ?? 0, ...paid.map(({ paidAt }) => paidAt)),
    isFailing: false,
  };
  const periods = mergePeriods(paid);
  const last = lastOf(periods);
  if (!last) {
    const isFailing = renews && UNPAID.includes(latest?.status ?? '');
    if (!isFailing && !isConfirming(snapshot, group)) return null;
    const setAside = setAsideOf(snapshot, unpaying);
    return { ...facts, ...NOTHING_PAID, setAside, isFailing, state: 'pending' };
  }
  const isRefunded = (each: PaidGroup) => standingOf(snapshot, each) === 'refunded';
  const standing = periods.filter((each) => !isRefunded(each));
  const lastRefunded = isRefunded(last);
  const disputed = periods.some((each) => standingOf(snapshot, each) === 'disputed');
  const paidUntil = (lastOf(standing) ?? last).end;
  const hasLapsed = isLapsed(entry, paidUntil);
  const grace = (renews || hasLapsed) && !lastRefunded ? graceMs : 0;
  const accessUntil = disputed || standing.length === 0 ? null : paidUntil + grace;
  const current =
    standing.findLast(({ start, end }) => start <= now && now < end) ?? lastOf(standing) ?? last;
  const state = disputed ? 'disputed' : stateOf({ now, paidUntil, accessUntil, renews, lastRefunded });
  const shown = { order: current.order, currentPeriodStart: current.start };
  const isAwaited = renews && !lastRefunded && !UNPAID.includes(latest?.status ?? '');
  const freeFrom = paidUntil + (isAwaited ? RENEWAL_MS : 0);
  const setAside = setAsideOf(snapshot, listAfter(unpaying, last));
  return { ...facts, ...shown, setAside, paidUntil, accessUntil, freeFrom, lastRefunded, hasLapsed, state };
}

function stateOf(facts: {
  now: number;
  paidUntil: number;
  accessUntil: number | null;
  renews: boolean;
  lastRefunded: boolean;
}): SubscriptionState {
  const { now, paidUntil, accessUntil, renews, lastRefunded } = facts;
  if (accessUntil === null || now >= accessUntil) return lastRefunded ? 'refunded' : 'expired';
  if (now >= paidUntil) return 'past_due';
  return renews && !lastRefunded ? 'active' : 'scheduled_cancel';
}

/**
 * Whether it lapsed, that is ended because the renewal was not paid: the charge failed, or the end came an hour or more after the paid
 * period. A subscription cancelled in time ends with its period and has not lapsed.
 */
function isLapsed(entry: SubscriptionEntry | null, paidUntil: number): boolean {
  const latest = entry?.latest;
  if (!entry || !latest || !ENDED.includes(latest.status)) return false;
  if (hasRenewalFailed(entry, paidUntil)) return true;
  return latest.status !== 'scheduled_cancel' && (latest.cancelAt ?? latest.at) >= paidUntil + HOUR_MS;
}

/** Whether the provider said that the charge after `paidUntil` failed, whatever it said later. */
export function hasRenewalFailed(
  { failedAt }: Pick<SubscriptionEntry, 'failedAt'>,
  paidUntil: number,
): boolean {
  return failedAt !== null && failedAt >= paidUntil - EARLY_CHARGE_MS;
}

/** The period that ends last, not the one that arrived last. */
function lastOf(periods: readonly PaidGroup[]): PaidGroup | null {
  return periods.reduce<PaidGroup | null>((last, each) => (last && last.end >= each.end ? last : each), null);
}

/** Statuses of a subscription that never was paid for and does not run: its first charge failed, or it is over. */
const IDLE: readonly string[] = ['canceled', 'expired', 'past_due', 'unpaid', 'paused'];

/** Whether the checkout is reported done or the subscription running, but no charge is known yet. */
function isConfirming(snapshot: ProviderSnapshot, { order, entry }: Group): boolean {
  const status = entry?.latest?.status;
  const isDone = checkoutsOf(snapshot, order).some(({ statuses }) => statuses.includes('completed'));
  return status ? !IDLE.includes(status) : isDone;
}

/** The charges that renewed it after this period, or might have: a renewal may be charged early. */
function listAfter(charges: readonly UnpayingCharge[], { end }: PaidGroup): UnpayingCharge[] {
  return charges.filter(({ at }) => at !== null && at >= end - EARLY_CHARGE_MS);
}

/** What became of charges that pay nothing, as `setAside` says it. One that lacks something may still pay. */
function setAsideOf(
  snapshot: ProviderSnapshot,
  charges: readonly UnpayingCharge[],
): ProjectedSubscription['setAside'] {
  if (charges.length === 0) return null;
  if (charges.some(({ paymentKey }) => snapshot.disputes.has(paymentKey))) return 'disputed';
  const standing = charges.filter(({ paymentKey }) => !isRefundedInFull(snapshot, paymentKey));
  if (standing.length === 0) return 'refunded';
  return standing.some(({ reason }) => reason === 'incomplete') ? null : 'refused';
}

/** Whether the plan is usable at `now`. */
export function isLive({ accessUntil }: ProjectedSubscription, now: number): boolean {
  return accessUntil !== null && now < accessUntil;
}
