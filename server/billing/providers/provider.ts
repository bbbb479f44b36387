import type { Provider } from '#contract/choices.ts';
import type { Fact, Mode, PaymentFact } from './facts.ts';

export interface CheckoutRequest {
  /** Our order's id; it comes back with the payment. */
  orderId: string;
  productId: string;
  /** Null: the user has none, and types one on the provider's page. */
  userEmail: string | null;
  successUrl: string;
  /** Lower-case names with underscores only: another spelling does not survive every provider. */
  metadata: Record<string, string>;
}

export interface CheckoutSession {
  checkoutId: string;
  /** The hosted page. Only for the user who asked. */
  redirectUrl: string;
  /** Null: the provider does not say. */
  expiresAt: Date | null;
}

/** What is read of a webhook before anything is understood. */
export interface Envelope {
  /** Unique per news: the event's id with its type, as BagelPay may use an id for two types; else a hash of the bytes. */
  dedupeKey: string;
  /** `unknown` when there is none. */
  type: string;
  createdAt: Date | null;
  mode: Mode | null;
}

/** Headers by lower-case name. */
export type WebhookHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What identifies an order at its provider. */
export interface OrderQuery {
  orderId: string;
  /** Null: the call that made the checkout brought no answer. */
  checkoutId: string | null;
  productId: string;
  userEmail: string | null;
  /** What it asked for, in minor units. */
  priceMinor: number;
  currency: string;
  createdAt: Date;
}

/** One page of a list, counted from 1. */
export interface FactPage {
  facts: Fact[];
  nextPage: number | null;
  /** The number of the last page, as far as the provider reports. */
  lastPage: number;
}

/** What is known of a subscription's customer before the provider is asked. */
export interface SubscriptionContext {
  /** Charges paid before are known. */
  since?: Date | null;
  siblings?: readonly string[];
}

/** `unsupported`: this provider has no such call, and nothing was asked. */
export type ChangeResult = { result: 'done'; facts: Fact[] } | { result: 'unsupported' };

/**
 * One payment provider. Every call that returns a promise asks it over HTTP and rejects with `ProviderError` only. The others
 * are pure and never throw, whatever they are given.
 */
export interface PaymentProvider {
  readonly name: Provider;
  /** The world our key belongs to; facts of another world are not ours. */
  readonly mode: Mode;
  /** What the provider offers; the rest answers `unsupported` or null. */
  readonly offers: { portal: boolean; resume: boolean; cancelAtPeriodEnd: boolean; refund: boolean };

  /** Opens a hosted checkout. Never repeated by itself: a second session would be harmless, an unknown one is not. */
  createCheckout(request: CheckoutRequest): Promise<CheckoutSession>;

  /** The headers, in lower case, that prove who sent a webhook: what is kept of them beside its bytes. */
  readonly signatureHeaders: readonly string[];
  /** True when `raw` was signed with our webhook secret. Constant time; false for every malformed signature and without a secret. */
  verifySignature(headers: WebhookHeaders, raw: Uint8Array): boolean;
  readEnvelope(raw: Uint8Array): Envelope;
  /** The facts of a webhook's body. Empty: understood, and nothing to learn from it. */
  translate(raw: Uint8Array): Fact[];

  /**
   * Completes the facts of a webhook by asking: subscriptions are read afresh, amounts and periods of payments filled in. Returns
   * all facts, old and new; what the provider does not know stays as it was.
   */
  resolve(facts: readonly Fact[]): Promise<Fact[]>;
  /** Everything the provider reports of one order; `inferred` where it cannot be asked for by its id. */
  fetchOrder(query: OrderQuery): Promise<Fact[]>;
  /**
   * The snapshot and the payments of one subscription, where there are many at least those paid after `since`. `siblings` are the
   * other subscriptions known of its customer, for a provider that does not say which of them a charge is for. Empty: unknown there.
   */
  fetchSubscription(subscriptionId: string, context?: SubscriptionContext): Promise<Fact[]>;
  /**
   * A row of the list of charges with the one of these subscriptions that it pays, as that is now; `inferred` where only customer
   * and period say so. Empty: it pays none of them.
   */
  bindCharge(charge: PaymentFact, subscriptionIds: readonly string[]): Promise<Fact[]>;
  /** One charge with its refunds and dispute. Empty: unknown there. */
  fetchTransaction(transactionId: string): Promise<Fact[]>;
  /** All subscriptions. */
  listSubscriptions(page: number): Promise<FactPage>;
  /** All charges with refunds and disputes. */
  listTransactions(page: number): Promise<FactPage>;

  /** Ends the renewing of a subscription. Where only `now` exists, `period_end` is `unsupported`. */
  cancelSubscription(subscriptionId: string, when: 'now' | 'period_end'): Promise<ChangeResult>;
  /** Takes a scheduled cancellation back. */
  resumeSubscription(subscriptionId: string): Promise<ChangeResult>;
  /** A link that signs the customer in at the provider: for their eyes only, never stored or logged. Null: no such page. */
  portalUrl(customerId: string): Promise<string | null>;
  /** Gives back all that remains of one charge. */
  refund(transactionId: string): Promise<ChangeResult>;
}

/** The providers that are configured, by name. */
export type Providers = Readonly<Partial<Record<Provider, PaymentProvider>>>;
