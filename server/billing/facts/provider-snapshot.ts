import type { Provider } from '#contract/choices.ts';
import type { CheckoutStatus, RefundFact, SubscriptionStatus } from '../providers/facts.ts';
import type { Period } from './period-rules.ts';

/**
 * All observed values of one field, sorted, each once: none while no source names it, one where the sources agree, several where
 * they contradict each other.
 */
export type Observed<T extends string | number> = readonly T[];

/** A checkout, by our order or, where it does not echo it, by its own id. Times are epoch milliseconds. */
export interface CheckoutEntry {
  statuses: Observed<CheckoutStatus>;
  subscriptionIds: Observed<string>;
  userIds: Observed<string>;
  abandonedAt: number | null;
}

export interface SubscriptionEntry {
  provider: Provider;
  subscriptionId: string;
  orderIds: Observed<string>;
  customerIds: Observed<string>;
  /** The latest known status. */
  latest: { at: number; rank: number; status: SubscriptionStatus; cancelAt: number | null } | null;
  hasUnknownStatus: boolean;
  /** When its renewal last failed, whatever happened later; null: never. */
  failedAt: number | null;
}

/** What one source says was charged, in minor units. */
export interface Sum {
  /** Gross. */
  amount: number;
  /** Before tax. */
  net: number | null;
  currency: string | null;
}

/** One charge. Times are epoch milliseconds. */
export interface PaymentEntry {
  provider: Provider;
  transactionId: string;
  orderIds: Observed<string>;
  /** Orders that it was found to pay where the provider named none. */
  matchedOrderIds: Observed<string>;
  /** Orders that only customer, product and time point to. */
  guessedOrderIds: Observed<string>;
  subscriptionIds: Observed<string>;
  productIds: Observed<string>;
  sums: readonly Sum[];
  periods: readonly Period[];
  paidAts: Observed<number>;
}

export interface RefundEntry {
  provider: Provider;
  transactionId: string;
  /** What was surely refunded, gross: the highest observed total, or the sum of the parts. */
  refunded: number;
  /** The highest observed total. */
  total: number;
  /** A source says that the whole charge was refunded. */
  isAll: boolean;
  /** Statuses of facts that name no single refund. */
  statuses: Observed<RefundFact['status']>;
  /** Single refunds, each once. */
  parts: readonly RefundPart[];
}

/** One refund. Amounts are minor units, gross. */
export interface RefundPart {
  id: string;
  /** The amount of this refund; 0: unknown. */
  own: number;
  /** How much of it was surely refunded. */
  done: number;
  /** Null: unknown. */
  at: number | null;
  statuses: Observed<RefundFact['status']>;
}

export interface DisputeEntry {
  provider: Provider;
  transactionId: string;
}

/** A fact without effect: an event that we did not understand, or a fact of the other mode. */
export interface UnrecognisedEntry {
  provider: Provider;
  subject: string;
  reason: 'not_understood' | 'other_mode';
}

/** All facts of the providers, merged. Keys are `provider:id`; `mergeFacts` fills it. */
export interface ProviderSnapshot {
  checkouts: ReadonlyMap<string, CheckoutEntry>;
  subscriptions: ReadonlyMap<string, SubscriptionEntry>;
  payments: ReadonlyMap<string, PaymentEntry>;
  refunds: ReadonlyMap<string, RefundEntry>;
  disputes: ReadonlyMap<string, DisputeEntry>;
  unrecognised: ReadonlyMap<string, UnrecognisedEntry>;
}

export const EMPTY_SNAPSHOT: ProviderSnapshot = {
  checkouts: new Map(),
  subscriptions: new Map(),
  payments: new Map(),
  refunds: new Map(),
  disputes: new Map(),
  unrecognised: new Map(),
};

/** `observed` with one more value; null and undefined add nothing. */
export function union<T extends string | number>(
  observed: Observed<T> | undefined,
  value: NoInfer<T> | null | undefined,
): Observed<T> {
  const known = observed ?? [];
  if (value == null || known.includes(value)) return known;
  return [...known, value].sort((a, b) => (a < b ? -1 : 1));
}

/** `observed` with one more record in it, each once and in an order that depends on nothing but the records. */
export function unionRecords<T extends object>(
  observed: readonly T[] | undefined,
  value: T | null,
): readonly T[] {
  const known = observed ?? [];
  if (value === null) return known;
  const texts = new Map([...known, value].map((each) => [JSON.stringify(each), each]));
  return [...texts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}

/**
 * Whether a charge (`creem:tran_1`) was refunded in full: a source says so, or no less was refunded than the largest sum that is told of
 * it. A refund need not say what was paid.
 */
export function isRefundedInFull(
  { payments, refunds }: Pick<ProviderSnapshot, 'payments' | 'refunds'>,
  paymentKey: string,
): boolean {
  const refund = refunds.get(paymentKey);
  if (!refund) return false;
  const amounts = payments.get(paymentKey)?.sums.map(({ amount }) => amount) ?? [];
  return (
    refund.isAll || (refund.refunded > 0 && amounts.length > 0 && refund.refunded >= Math.max(...amounts))
  );
}

/** The entries of an order's checkout, by our id or by the provider's. */
export function checkoutsOf(
  { checkouts }: Pick<ProviderSnapshot, 'checkouts'>,
  { provider, id, checkoutId }: { provider: Provider; id: string; checkoutId: string | null },
): CheckoutEntry[] {
  const keys = [`${provider}:${id}`, `${provider}:checkout:${checkoutId}`];
  return keys.map((key) => checkouts.get(key)).filter((entry) => entry !== undefined);
}
