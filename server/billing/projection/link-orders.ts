import type { Cycle, PlanKey } from '#contract/billing.ts';
import type { Provider } from '#contract/choices.ts';
import type { Period } from '../facts/period-rules.ts';
import { isRefundedInFull, type PaymentEntry, type ProviderSnapshot } from '../facts/provider-snapshot.ts';
import { linkSubscriptions, type OrdersBySubscription } from './link-subscriptions.ts';
import type { Offer } from './list-offers.ts';
import { recognisePayment } from './recognise-payment.ts';

/** An order of the user, with its terms frozen when the checkout began. */
export interface BillingOrder {
  id: string;
  userId: string;
  provider: Provider;
  /** The provider's id of the checkout; null when the call that made it brought no answer. */
  checkoutId: string | null;
  /** The provider's id of the product. */
  productId: string;
  planKey: PlanKey;
  cycle: Cycle;
  /** The price before tax, in minor units of `currency`. */
  priceMinor: number;
  currency: string;
  /** Credits that each paid period grants. */
  credits: number;
  createdAt: Date;
}

/** Why a fact has no effect. `incomplete` and `unlinked` end when the provider sends more. */
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
  | 'checkout_blocked'
  | 'account_deleted';

/** Something an operator should look at. */
export interface Quarantined {
  provider: Provider;
  /** The provider's id of the charge, subscription or checkout, or the type of the event. */
  subject: string;
  /** The order that is meant; null where none of the user's orders is known to be. */
  orderId: string | null;
  reason: QuarantineReason;
  /** Whether a charge that was paid grants something all the same. Null: the entry is not about a charge. */
  charge: 'granted' | 'not_granted' | null;
}

/** A charge that pays one period of one of the user's orders. */
export interface PaidPeriod extends Period {
  paymentKey: string;
  /** The order on the terms that the charge pays: those of another plan where the provider switched the subscription to it. */
  order: BillingOrder;
  transactionId: string;
  /** Null: not known yet. */
  subscriptionId: string | null;
  paidAt: number;
  /** The paid sum, gross, in minor units. */
  amount: number;
  /** Whether the charge pays for another plan than was ordered. */
  isSwitched: boolean;
}

/** A charge that pays no order, refunded or not. */
export interface UnpayingCharge {
  provider: Provider;
  paymentKey: string;
  /** The order that it is for; null: not known for sure. */
  orderId: string | null;
  subscriptionIds: readonly string[];
  /** The latest of the times that are told of it: when it was paid, and when its period begins. Null: none is. */
  at: number | null;
  reason: QuarantineReason | null;
}

/** A bucket that a charge made in the ledger: what was granted stays granted, whatever facts of the charge follow. */
export interface Booking {
  sourceKey: string;
  paymentKey: string | null;
  orderId: string | null;
  /** Credits. */
  amount: number;
  startsAt: Date;
  expiresAt: Date;
}

/** What the projection knows besides the facts: the buckets booked before, what is sold, and since when nothing is sold to the user. */
export interface Known {
  booked: readonly Booking[];
  offers: readonly Offer[];
  /** Since when nothing is sold to the user, in epoch milliseconds; null where no dispute is open. */
  blockedSince: number | null;
}

export const NOTHING_KNOWN: Known = { booked: [], offers: [], blockedSince: null };

/**
 * Decides for every payment in the snapshot which of the orders it pays, or why it pays none. It pays only what agrees with the order in
 * provider, user, product, currency, amount and length. A payment that pays although something contradicts it is in both lists: `paid`,
 * sorted by time, and `quarantine`. Orders bought while a dispute is open pay nothing yet: `blocked` (decision 51). `unpaying` has what
 * pays nothing, also what was refunded and needs no operator.
 */
export function linkOrders(
  snapshot: ProviderSnapshot,
  orders: readonly BillingOrder[],
  known: Known = NOTHING_KNOWN,
) {
  const bySubscription: OrdersBySubscription = linkSubscriptions(snapshot, orders);
  const byId = new Map(orders.map((order) => [order.id, order]));
  const booked = new Map(known.booked.map((each) => [each.paymentKey, each]));
  const world = { snapshot, byId, bySubscription, booked, offers: known.offers };
  const recognised = [...snapshot.payments].map(([key, payment]) => ({
    key,
    payment,
    ...recognisePayment(world, payment),
  }));
  const blocked = listBlocked(
    snapshot,
    recognised.flatMap((each) => each.paid ?? []),
    known,
  );
  const paid: PaidPeriod[] = [];
  const quarantine: Quarantined[] = [];
  const unpaying: UnpayingCharge[] = [];
  for (const { key, payment, orderId, ...found } of recognised) {
    const { provider, transactionId: subject } = payment;
    const isBlocked = found.paid !== null && blocked.has(found.paid.order.id);
    const pays = isBlocked ? null : found.paid;
    const reason = isBlocked ? 'checkout_blocked' : found.reason;
    if (pays) paid.push(pays);
    else {
      const sureId = reason === 'inferred' ? null : orderId;
      const { subscriptionIds } = payment;
      const at = lastTimeOf(payment);
      unpaying.push({ provider, paymentKey: key, orderId: sureId, subscriptionIds, at, reason });
      // Refunded in full: it needs no operator.
      if (isRefundedInFull(snapshot, key)) continue;
    }
    const charge = pays ? 'granted' : 'not_granted';
    if (reason) quarantine.push({ provider, subject, orderId, reason, charge });
  }
  paid.sort((a, b) => a.start - b.start || a.paidAt - b.paidAt || (a.paymentKey < b.paymentKey ? -1 : 1));
  return { paid, unpaying, quarantine, bySubscription, blocked };
}

function lastTimeOf({ paidAts, periods }: PaymentEntry): number | null {
  const times = [...paidAts, ...periods.map(({ start }) => start)];
  return times.length > 0 ? Math.max(...times) : null;
}

/** Orders that were paid for the first time after a dispute began, of which nothing is booked and nothing is disputed. */
function listBlocked(
  snapshot: ProviderSnapshot,
  paid: readonly PaidPeriod[],
  { booked, blockedSince }: Known,
): ReadonlySet<string> {
  if (blockedSince === null) return new Set();
  const granted = new Set(booked.map(({ paymentKey }) => paymentKey));
  const earlier = paid.filter(
    ({ paymentKey, paidAt }) =>
      paidAt <= blockedSince || granted.has(paymentKey) || snapshot.disputes.has(paymentKey),
  );
  const running = new Set(earlier.map(({ order }) => order.id));
  return new Set(paid.map(({ order }) => order.id).filter((id) => !running.has(id)));
}
