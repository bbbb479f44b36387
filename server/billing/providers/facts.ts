/** Which of a provider's two worlds something belongs to. Null: it does not say, or says what we do not know. */
export type Mode = 'live' | 'test';

/** What every fact may say. Null: the source leaves it open, which never contradicts a source that reports. */
interface FactBase {
  mode: Mode | null;
  /** Our own order, as the provider echoes it. A renewal echoes the order that began its subscription. */
  orderId: string | null;
  customerId: string | null;
  customerEmail: string | null;
}

/** Where a checkout stands. `abandoned` for an order that is paid is BagelPay's only sign of a dispute. */
export type CheckoutStatus = 'open' | 'completed' | 'failed' | 'abandoned' | 'expired';

export interface CheckoutFact extends FactBase {
  kind: 'checkout';
  checkoutId: string | null;
  status: CheckoutStatus;
  productId: string | null;
  subscriptionId: string | null;
  /** The user's id that we sent with the order. */
  userId: string | null;
  at: Date | null;
}

/**
 * One charge that was paid. `transactionId` is its identity: Creem's transaction, BagelPay's order (`ORD_…`), which both
 * its webhooks and its transaction list carry.
 */
export interface PaymentFact extends FactBase {
  kind: 'payment';
  transactionId: string;
  /** Gross, as charged, in minor units. Null: only `resolve` can find it. */
  amountMinor: number | null;
  /** Before tax, in minor units: what compares with our price. Null: unknown. */
  netMinor: number | null;
  /** Three capital letters. */
  currency: string | null;
  productId: string | null;
  subscriptionId: string | null;
  /** Half-open, [start, end). */
  periodStart: Date | null;
  periodEnd: Date | null;
  paidAt: Date | null;
  /**
   * `told`: the provider names the order. `inferred`: the order is a guess by e-mail, product and time. `claimed`: the guess was
   * matched with exactly one order; it pays, as long as the provider names no other order. The values are stored with the facts.
   */
  match: 'told' | 'claimed' | 'inferred';
}

export type SubscriptionStatus =
  | 'unknown'
  | 'trialing'
  | 'active'
  | 'scheduled_cancel'
  | 'past_due'
  | 'unpaid'
  | 'paused'
  | 'expired'
  | 'canceled';

/** How a subscription stood at `updatedAt`; of two snapshots with one time the higher `rank` counts. */
export interface SubscriptionFact extends FactBase {
  kind: 'subscription';
  subscriptionId: string;
  status: SubscriptionStatus;
  rank: number;
  productId: string | null;
  periodStart: Date | null;
  periodEnd: Date | null;
  /** When it ends or ended renewing; null while it renews. */
  cancelAt: Date | null;
  updatedAt: Date;
}

/** A refund of one charge. Only `succeeded` takes credits; `pending` is asked about again. */
export interface RefundFact extends FactBase {
  kind: 'refund';
  transactionId: string;
  /** The provider's id of this one refund; null where it reports only the sum of all. */
  refundId: string | null;
  /** The sum of this one refund, gross, in minor units. Null: unknown. */
  ownMinor: number | null;
  /** The sum of all refunds so far, gross, in minor units. Null: in a form that we cannot read, so ask. */
  refundedMinor: number | null;
  /** Gross, as it was charged. The refunded part is `refundedMinor / paidMinor`. */
  paidMinor: number | null;
  status: 'pending' | 'succeeded' | 'failed';
  subscriptionId: string | null;
  at: Date | null;
}

export interface DisputeFact extends FactBase {
  kind: 'dispute';
  transactionId: string;
  subscriptionId: string | null;
  at: Date | null;
}

/** Why something was not understood: in English, without values from outside. The texts are stored with the facts. */
export type UnknownReason =
  | 'an event without an object'
  | 'an event of an unknown type'
  | 'an event without anything known in it'
  | 'a subscription without an id or a time'
  | 'a subscription with an unknown status'
  | 'a checkout with an unknown status'
  | 'a paid period without its transaction'
  | 'a payment without its order'
  | 'a transaction without an id'
  | 'a transaction without an id or a currency'
  | 'a refund without a transaction or with an unknown status'
  | 'a refund without its order'
  | 'a dispute without a transaction'
  | 'an id of more than 150 characters';

/** Something we did not understand: to be kept for the operator, never acted on. */
export interface UnknownFact {
  kind: 'unknown';
  /** The provider's name for it, cut to 100 characters. */
  type: string;
  reason: UnknownReason;
}

/** The few things both providers can report. */
export type Fact = CheckoutFact | PaymentFact | SubscriptionFact | RefundFact | DisputeFact | UnknownFact;

/** Ranks of statuses, for snapshots of one moment: what ends a subscription wins. */
export const STATUS_RANK: Record<SubscriptionStatus, number> = {
  unknown: 0,
  trialing: 1,
  active: 2,
  scheduled_cancel: 3,
  past_due: 4,
  unpaid: 5,
  paused: 6,
  expired: 7,
  canceled: 8,
};
