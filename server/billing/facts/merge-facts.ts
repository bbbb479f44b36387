import type { Provider } from '#contract/billing.ts';
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
import {
  agree,
  agreeOn,
  type FactBook,
  type RefundEntry,
  type RefundPart,
  type StrayEntry,
  type SubscriptionEntry,
  type Sum,
} from './fact-book.ts';
import type { Period } from './rules.ts';

/** What one provider told, by webhook or because we asked. */
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

/** A book while it is written. */
type Draft = {
  [Part in keyof FactBook]: FactBook[Part] extends ReadonlyMap<infer Key, infer Entry>
    ? Map<Key, Entry>
    : never;
};

/**
 * The book with the news in it; the one given stays as it is. A join: the same facts give the same book in whatever order,
 * grouping and number they are told. Nothing is ever taken out.
 */
export function mergeFacts(book: FactBook, { provider, mode, facts }: News): FactBook {
  const merged: Draft = {
    checkouts: new Map(book.checkouts),
    subscriptions: new Map(book.subscriptions),
    payments: new Map(book.payments),
    refunds: new Map(book.refunds),
    disputes: new Map(book.disputes),
    strays: new Map(book.strays),
  };
  for (const fact of facts) {
    if (fact.kind !== 'unknown' && fact.mode !== null && fact.mode !== mode)
      addStray(merged, { provider, subject: subjectOf(fact), reason: 'other_mode' });
    else addFact(merged, provider, fact);
  }
  return merged;
}

function addFact(book: Draft, provider: Provider, fact: Fact): void {
  if (fact.kind === 'checkout') mergeCheckout(book, provider, fact);
  else if (fact.kind === 'subscription') mergeSubscription(book, provider, fact);
  else if (fact.kind === 'payment') mergePayment(book, provider, fact);
  else if (fact.kind === 'refund') mergeRefund(book, provider, fact);
  else if (fact.kind === 'dispute') mergeDispute(book, provider, fact);
  else addStray(book, { provider, subject: fact.type, reason: 'not_understood' });
}

function addStray(book: Draft, stray: StrayEntry): void {
  book.strays.set(`${stray.provider}:${stray.reason}:${stray.subject}`, stray);
}

/** The id that the provider gave to what a fact is about. */
function subjectOf(fact: Exclude<Fact, UnknownFact>): string {
  if (fact.kind === 'checkout') return fact.checkoutId ?? fact.orderId ?? fact.kind;
  return fact.kind === 'subscription' ? fact.subscriptionId : fact.transactionId;
}

function mergeCheckout(book: Draft, provider: Provider, fact: CheckoutFact): void {
  const key =
    fact.orderId === null ? `${provider}:checkout:${fact.checkoutId}` : `${provider}:${fact.orderId}`;
  const known = book.checkouts.get(key);
  const abandonedAt = fact.status === 'abandoned' ? (fact.at?.getTime() ?? null) : null;
  book.checkouts.set(key, {
    statuses: agree(known?.statuses, fact.status),
    subscriptionIds: agree(known?.subscriptionIds, fact.subscriptionId),
    userIds: agree(known?.userIds, fact.userId),
    abandonedAt: latest(known?.abandonedAt, abandonedAt),
  });
}

function mergeSubscription(book: Draft, provider: Provider, fact: SubscriptionFact): void {
  const key = `${provider}:${fact.subscriptionId}`;
  const known = book.subscriptions.get(key);
  book.subscriptions.set(key, {
    provider,
    subscriptionId: fact.subscriptionId,
    orderIds: agree(known?.orderIds, fact.orderId),
    customerIds: agree(known?.customerIds, fact.customerId),
    snapshot: later(known?.snapshot ?? null, snapshotOf(fact)),
    hasUnknownStatus: (known?.hasUnknownStatus ?? false) || fact.status === 'unknown',
    failedAt: latest(known?.failedAt, isFailed(fact) ? fact.updatedAt.getTime() : null),
  });
}

function isFailed({ status }: SubscriptionFact): boolean {
  return status === 'past_due' || status === 'unpaid';
}

type Snapshot = SubscriptionEntry['snapshot'];

/** A status that we do not know changes nothing. */
function snapshotOf(fact: SubscriptionFact): Snapshot {
  if (fact.status === 'unknown') return null;
  return {
    at: fact.updatedAt.getTime(),
    rank: fact.rank,
    status: fact.status,
    cancelAt: fact.cancelAt?.getTime() ?? null,
  };
}

/** The later snapshot; of one moment the one that ranks higher, then any, but always the same one. */
function later(left: Snapshot, right: Snapshot): Snapshot {
  if (!left || !right) return left ?? right;
  const order =
    left.at - right.at || left.rank - right.rank || (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1);
  return order > 0 ? left : right;
}

/** What a match by guess says of the order is kept apart: it is shown to the operator and grants nothing. */
function mergePayment(book: Draft, provider: Provider, fact: PaymentFact): void {
  const key = `${provider}:${fact.transactionId}`;
  const known = book.payments.get(key);
  const { match } = fact;
  const told = match === 'inferred' ? null : fact;
  book.payments.set(key, {
    provider,
    transactionId: fact.transactionId,
    orderIds: agree(known?.orderIds, match === 'told' ? fact.orderId : null),
    claimedOrderIds: agree(known?.claimedOrderIds, match === 'claimed' ? fact.orderId : null),
    guessedOrderIds: agree(known?.guessedOrderIds, match === 'inferred' ? fact.orderId : null),
    subscriptionIds: agree(known?.subscriptionIds, told?.subscriptionId),
    productIds: agree(known?.productIds, told?.productId),
    sums: agreeOn(known?.sums, told && sumOf(told)),
    periods: agreeOn(known?.periods, told && periodOf(told)),
    paidAts: agree(known?.paidAts, told?.paidAt?.getTime()),
  });
}

function sumOf({ amountMinor, netMinor, currency }: PaymentFact): Sum | null {
  return amountMinor === null ? null : { amount: amountMinor, net: netMinor, currency };
}

function periodOf({ periodStart, periodEnd }: PaymentFact): Period | null {
  return periodStart && periodEnd ? { start: periodStart.getTime(), end: periodEnd.getTime() } : null;
}

function mergeRefund(book: Draft, provider: Provider, fact: RefundFact): void {
  const key = `${provider}:${fact.transactionId}`;
  const known = book.refunds.get(key);
  const told = fact.status === 'succeeded' ? fact.refundedMinor : null;
  const total = Math.max(known?.total ?? 0, told ?? 0);
  const parts = mergePart(known?.parts ?? [], fact);
  const sum = parts.reduce((all, { done }) => all + done, 0);
  book.refunds.set(key, {
    provider,
    transactionId: fact.transactionId,
    refunded: Math.max(total, sum),
    total,
    isAll:
      (known?.isAll ?? false) ||
      (told !== null && told > 0 && told >= (fact.paidMinor ?? Number.POSITIVE_INFINITY)),
    statuses: fact.refundId == null ? agree(known?.statuses, fact.status) : (known?.statuses ?? []),
    parts,
  });
}

/** Facts of before acts were told apart name none. A source that cannot tell the total may mean it by the amount of the act. */
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
    statuses: agree(known?.statuses, status),
  };
  return agreeOn(
    parts.filter((each) => each !== known),
    part,
  );
}

function mergeDispute(book: Draft, provider: Provider, fact: DisputeFact): void {
  book.disputes.set(`${provider}:${fact.transactionId}`, { provider, transactionId: fact.transactionId });
}

function latest(left: number | null | undefined, right: number | null): number | null {
  return left == null ? right : right === null ? left : Math.max(left, right);
}
