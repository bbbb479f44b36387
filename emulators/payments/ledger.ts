/** Money is in minor units, times are epoch milliseconds on the emulator's clock. */
export interface Product {
  id: string;
  name: string;
  description: string;
  priceMinor: number;
  currency: string;
  /** Months in a period; null: paid once. */
  months: number | null;
  createdAt: number;
}

export interface Customer {
  id: string;
  email: string;
  name: string;
  createdAt: number;
}

export interface Checkout {
  id: string;
  productId: string;
  requestId: string | null;
  email: string | null;
  successUrl: string | null;
  metadata: Record<string, unknown>;
  status: 'pending' | 'completed' | 'failed' | 'abandoned';
  customerId: string | null;
  subscriptionId: string | null;
  /** The first charge. */
  transactionId: string | null;
  createdAt: number;
  updatedAt: number;
}

export interface Subscription {
  id: string;
  productId: string;
  customerId: string;
  checkoutId: string;
  status: 'active' | 'scheduled_cancel' | 'past_due' | 'paused' | 'canceled';
  /** Period number `n` begins `n` intervals after it. */
  anchor: number;
  /** Number of the present period, from 0. */
  period: number;
  periodStart: number;
  periodEnd: number;
  cancelAt: number | null;
  card: string;
  /** Failed tries to charge the period that follows. */
  failures: number;
  retryAt: number | null;
  lastTransactionId: string | null;
  lastPaidAt: number | null;
  createdAt: number;
  updatedAt: number;
}

export interface Transaction {
  id: string;
  orderId: string;
  checkoutId: string;
  subscriptionId: string | null;
  customerId: string;
  productId: string;
  /** Before tax. */
  netMinor: number;
  taxMinor: number;
  refundedMinor: number;
  currency: string;
  status: 'paid' | 'partialRefund' | 'refunded' | 'chargedBack';
  periodStart: number;
  periodEnd: number;
  createdAt: number;
  updatedAt: number;
}

export interface Refund {
  id: string;
  transactionId: string;
  amountMinor: number;
  createdAt: number;
}

/** All that a provider remembers of its merchant. */
export interface Ledger {
  products: Product[];
  customers: Customer[];
  checkouts: Checkout[];
  subscriptions: Subscription[];
  transactions: Transaction[];
  refunds: Refund[];
}

export function emptyLedger(): Ledger {
  return { products: [], customers: [], checkouts: [], subscriptions: [], transactions: [], refunds: [] };
}

/** The entry with this id; throws `NotFound` without one. */
export function findById<T extends { id: string }>(entries: readonly T[], id: string | null): T {
  const found = entries.find((entry) => entry.id === id);
  if (!found) throw new NotFound(`no ${id ?? 'id'}`);
  return found;
}

/** What was asked for does not exist. */
export class NotFound extends Error {}

/** What was asked for is not possible as things stand. */
export class NotPossible extends Error {}
