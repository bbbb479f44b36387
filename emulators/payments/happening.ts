import type { Checkout, Refund, Subscription, Transaction } from './ledger.ts';

/** What happens at a provider, before its own dialect makes webhooks of it. */
export type Happening =
  | {
      kind: 'paid';
      isFirst: boolean;
      checkout: Checkout;
      subscription: Subscription | null;
      transaction: Transaction;
    }
  | { kind: 'checkout_failed'; checkout: Checkout; reason: string }
  | { kind: 'abandoned'; checkout: Checkout }
  | { kind: 'charge_failed'; subscription: Subscription; checkout: Checkout; reason: string }
  | { kind: 'lapsed'; subscription: Subscription }
  | { kind: 'cancel_scheduled'; subscription: Subscription }
  | { kind: 'canceled'; subscription: Subscription }
  | { kind: 'paused'; subscription: Subscription }
  | { kind: 'resumed'; subscription: Subscription }
  | { kind: 'switched'; subscription: Subscription }
  | { kind: 'refunded'; refund: Refund; transaction: Transaction }
  | { kind: 'disputed'; transaction: Transaction };

/** A webhook to be: its type and the `object` inside. */
export interface WebhookNews {
  type: string;
  object: Record<string, unknown>;
}

/** What one provider does in its own way. */
export interface Dialect {
  newId(
    kind: 'checkout' | 'subscription' | 'transaction' | 'order' | 'customer' | 'refund' | 'event',
  ): string;
  /** The webhooks of a happening, in the order they are sent. */
  newsOf(happening: Happening): WebhookNews[];
}
