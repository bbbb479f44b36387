import type { Provider } from '#contract/choices.ts';
import type {
  CheckoutFact,
  DisputeFact,
  Fact,
  Mode,
  PaymentFact,
  RefundFact,
  SubscriptionFact,
  UnknownFact,
} from '../providers/facts.ts';
import type { Providers } from '../providers/provider.ts';
import type { Period } from './period-rules.ts';
import {
  type ProviderSnapshot,
  type RefundEntry,
  type RefundPart,
  type SubscriptionEntry,
  type Sum,
  type UnrecognisedEntry,
  union,
  unionRecords,
} from './provider-snapshot.ts';

/** Facts of one provider, by webhook or as answers to our questions. */
export interface News {
  provider: Provider;
  /** The world our key belongs to: facts that say another one are set aside. */
  mode: Mode;
  facts: readonly Fact[];
}

/** The world our key for a provider belongs to; without a key only what is real counts. */
export function modeOf(providers: Providers, provider: Provider): Mode {
  return providers[provider]?.mode ?? 'live';
}

/** A snapshot while it is written. */
type Draft = {
  [Part in keyof ProviderSnapshot]: ProviderSnapshot[Part] extends ReadonlyMap<infer Key, infer Entry>
    ? Map<Key, Entry>
    : never;
};

/**
 * Returns the snapshot with the facts added; the given one does not change. A join: the same facts give the same snapshot in any
 * order, grouping and number. Facts are never removed.
 */
export function mergeFacts(snapshot: ProviderSnapshot, { provider, mode, facts }: News): ProviderSnapshot {
  const merged: Draft = {
    checkouts: new Map(snapshot.checkouts),
    subscriptions: new Map(snapshot.subscriptions),
    payments: new Map(snapshot.payments),
    refunds: new Map(snapshot.refunds),
    disputes: new Map(snapshot.disputes),
    unrecognised: new Map(snapshot.unrecognised),
  };
  for (const fact of facts) {
    if (fact.kind !== 'unknown' && fact.mode !== null && fact.mode !== mode)
      addUnrecognised(merged, { provider, subject: subjectOf(fact), reason: 'other_mode' });
    else addFact(merged, provider, fact);
  }
  return merged;
}

function addFact(snapshot: Draft, provider: Provider, fact: Fact): void {
  if (fact.kind === 'checkout') mergeCheckout(snapshot, provider, fact);
  else if (fact.kind === 'subscription') mergeSubscription(snapshot, provider, fact);
  else if (fact.kind === 'payment') mergePayment(snapshot, provider, fact);
  else if (fact.kind === 'refund') mergeRefund(snapshot, provider, fact);
  else if (fact.kind === 'dispute') mergeDispute(snapshot, provider, fact);
  else addUnrecognised(snapshot, { provider, subject: fact.type, reason: 'not_understood' });
}

function addUnrecognised(snapshot: Draft, entry: UnrecognisedEntry): void {
  snapshot.unrecognised.set(`${entry.provider}:${entry.reason}:${entry.subject}`, entry);
}

/** The id that the provider gave to what a fact is about. */
function subjectOf(fact: Exclude<Fact, UnknownFact>): string {
  if (fact.kind === 'checkout') return fact.checkoutId ?? fact.orderId ?? fact.kind;
  return fact.kind === 'subscription' ? fact.subscriptionId : fact.transactionId;
}

function mergeCheckout(snapshot: Draft, provider: Provider, fact: CheckoutFact): void {
  const key =
    fact.orderId === null ? `${provider}:checkout:${fact.checkoutId}` : `${provider}:${fact.orderId}`;
  const known = snapshot.checkouts.get(key);
  const abandonedAt = fact.status === 'abandoned' ? (fact.at?.getTime() ?? null) : null;
  snapshot.checkouts.set(key, {
    statuses: union(known?.statuses, fact.status),
    subscriptionIds: union(known?.subscriptionIds, fact.subscriptionId),
    userIds: union(known?.userIds, fact.userId),
    abandonedAt: latest(known?.abandonedAt, abandonedAt),
  });
}

function mergeSubscription(snapshot: Draft, provider: Provider, fact: SubscriptionFact): void {
  const key = `${provider}:${fact.subscriptionId}`;
  const known = snapshot.subscriptions.get(key);
  snapshot.subscriptions.set(key, {
    provider,
    subscriptionId: fact.subscriptionId,
    orderIds: union(known?.orderIds, fact.orderId),
    customerIds: union(known?.customerIds, fact.customerId),
    latest: later(known?.latest ?? null, statusOf(fact)),
    hasUnknownStatus: (known?.hasUnknownStatus ?? false) || fact.status === 'unknown',
    failedAt: latest(known?.failedAt, isFailed(fact) ? fact.updatedAt.getTime() : null),
  });
}

function isFailed({ status }: SubscriptionFact): boolean {
  return status === 'past_due' || status === 'unpaid';
}

type LatestStatus = SubscriptionEntry['latest'];

/** A status that we do not know changes nothing. */
function statusOf(fact: SubscriptionFact): LatestStatus {
  if (fact.status === 'unknown') return null;
  return {
    at: fact.updatedAt.getTime(),
    rank: fact.rank,
    status: fact.status,
    cancelAt: fact.cancelAt?.getTime() ?? null,
  };
}

/** The later status; of one moment the one that ranks higher, then any, but always the same one. */
function later(left: LatestStatus, right: LatestStatus): LatestStatus {
  if (!left || !right) return left ?? right;
  const order =
    left.at - right.at || left.rank - right.rank || (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1);
  return order > 0 ? left : right;
}

/** What a match by guess says of the order is kept apart: it is shown to the operator and grants nothing. */
function mergePayment(snapshot: Draft, provider: Provider, fact: PaymentFact): void {
  const key = `${provider}:${fact.transactionId}`;
  const known = snapshot.payments.get(key);
  const { match } = fact;
  const certain = match === 'inferred' ? null : fact;
  snapshot.payments.set(key, {
    provider,
    transactionId: fact.transactionId,
    orderIds: union(known?.orderIds, match === 'told' ? fact.orderId : null),
    matchedOrderIds: union(known?.matchedOrderIds, match === 'claimed' ? fact.orderId : null),
    guessedOrderIds: union(known?.guessedOrderIds, match === 'inferred' ? fact.orderId : null),
    subscriptionIds: union(known?.subscriptionIds, certain?.subscriptionId),
    productIds: union(known?.productIds, certain?.productId),
    sums: unionRecords(known?.sums, certain && sumOf(certain)),
    periods: unionRecords(known?.periods, certain && periodOf(certain)),
    paidAts: union(known?.paidAts, certain?.paidAt?.getTime()),
  });
}

function sumOf({ amountMinor, netMinor, currency }: PaymentFact): Sum | null {
  return amountMinor === null ? null : { amount: amountMinor, net: netMinor, currency };
}

function periodOf({ periodStart, periodEnd }: PaymentFact): Period | null {
  return periodStart && periodEnd ? { start: periodStart.getTime(), end: periodEnd.getTime() } : null;
}

function mergeRefund(snapshot: Draft, provider: Provider, fact: RefundFact): void {
  const key = `${provider}:${fact.transactionId}`;
  const known = snapshot.refunds.get(key);
  const refunded = fact.status === 'succeeded' ? fact.refundedMinor : null;
  const total = Math.max(known?.total ?? 0, refunded ?? 0);
  const parts = mergePart(known?.parts ?? [], fact);
  const sum = parts.reduce((all, { done }) => all + done, 0);
  snapshot.refunds.set(key, {
    provider,
    transactionId: fact.transactionId,
    refunded: Math.max(total, sum),
    total,
    isAll:
      (known?.isAll ?? false) ||
      (refunded !== null && refunded > 0 && refunded >= (fact.paidMinor ?? Number.POSITIVE_INFINITY)),
    statuses: fact.refundId == null ? union(known?.statuses, fact.status) : (known?.statuses ?? []),
    parts,
  });
}

/** Old facts have no `refundId`. A source that does not know the total may give it as the amount of the act. */
function mergePart(parts: RefundEntry['parts'], fact: RefundFact): RefundEntry['parts'] {
  const { refundId, ownMinor, refundedMinor, status, at } = fact;
  if (refundId == null) return parts;
  const known = parts.find(({ id }) => id === refundId);
  const own = ownMinor ?? 0;
  const part: RefundPart = {
    id: refundId,
    own: Math.max(known?.own ?? 0, own),
    done: Math.max(known?.done ?? 0, status === 'succeeded' && refundedMinor !== null ? own : 0),
    at: latest(known?.at, at?.getTime() ?? null),
    statuses: union(known?.statuses, status),
  };
  return unionRecords(
    parts.filter((each) => each !== known),
    part,
  );
}

function mergeDispute(snapshot: Draft, provider: Provider, fact: DisputeFact): void {
  snapshot.disputes.set(`${provider}:${fact.transactionId}`, { provider, transactionId: fact.transactionId });
}

function latest(left: number | null | undefined, right: number | null): number | null {
  return left == null ? right : right === null ? left : Math.max(left, right);
}
