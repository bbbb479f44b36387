import type { Provider } from '#contract/billing.ts';
import type { CheckoutStatus, RefundFact, SubscriptionStatus } from './providers/facts.ts';

/**
 * All that was told of one value, sorted, each once: none while the sources leave it open, one where they agree, several where
 * they contradict each other.
 */
export type Told<T extends string | number> = readonly T[];

/** A checkout, by our order or, where it does not echo it, by its own id. Times are epoch milliseconds. */
export interface CheckoutEntry {
  statuses: Told<CheckoutStatus>;
  subscriptionIds: Told<string>;
  userIds: Told<string>;
  abandonedAt: number | null;
}

export interface SubscriptionEntry {
  provider: Provider;
  subscriptionId: string;
  orderIds: Told<string>;
  customerIds: Told<string>;
  /** The latest one whose status we know. */
  snapshot: { at: number; rank: number; status: SubscriptionStatus; cancelAt: number | null } | null;
  hasUnknownStatus: boolean;
  /** When its renewal was last said to have failed, whatever was told after it; null: never. */
  failedAt: number | null;
}

/** One charge. Amounts are minor units, times epoch milliseconds. */
export interface PaymentEntry {
  provider: Provider;
  transactionId: string;
  orderIds: Told<string>;
  /** Orders that only customer, product and time point to. */
  guessedOrderIds: Told<string>;
  subscriptionIds: Told<string>;
  productIds: Told<string>;
  currencies: Told<string>;
  amounts: Told<number>;
  nets: Told<number>;
  starts: Told<number>;
  ends: Told<number>;
  paidAts: Told<number>;
}

export interface RefundEntry {
  provider: Provider;
  transactionId: string;
  /** The highest total that was given back for sure, gross. */
  refunded: number;
  statuses: Told<RefundFact['status']>;
}

export interface DisputeEntry {
  provider: Provider;
  transactionId: string;
}

/** What never acts: events we did not understand, and facts of the other world. */
export interface StrayEntry {
  provider: Provider;
  subject: string;
  reason: 'not_understood' | 'other_mode';
}

/** Everything the providers told, merged. Keys are `provider:id`; `mergeFacts` fills it. */
export interface FactBook {
  checkouts: ReadonlyMap<string, CheckoutEntry>;
  subscriptions: ReadonlyMap<string, SubscriptionEntry>;
  payments: ReadonlyMap<string, PaymentEntry>;
  refunds: ReadonlyMap<string, RefundEntry>;
  disputes: ReadonlyMap<string, DisputeEntry>;
  strays: ReadonlyMap<string, StrayEntry>;
}

export const EMPTY_BOOK: FactBook = {
  checkouts: new Map(),
  subscriptions: new Map(),
  payments: new Map(),
  refunds: new Map(),
  disputes: new Map(),
  strays: new Map(),
};

/** `told` with one more value in it; null and undefined say nothing. */
export function agree<T extends string | number>(
  told: Told<T> | undefined,
  value: NoInfer<T> | null | undefined,
): Told<T> {
  const known = told ?? [];
  if (value == null || known.includes(value)) return known;
  return [...known, value].sort((a, b) => (a < b ? -1 : 1));
}
