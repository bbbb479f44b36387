import { addMonths } from './add-months.ts';
import { refusalOf } from './cards.ts';
import type { Dialect, Happening } from './happening.ts';
import {
  type Checkout,
  type Customer,
  findById,
  type Ledger,
  NotPossible,
  type Subscription,
  type Transaction,
} from './ledger.ts';
import type { MovableClock } from './movable-clock.ts';

const DAY_MS = 86_400_000;
/** Assumed: neither provider says when it tries again; these are Stripe's usual days after the first failure. */
const RETRY_DAYS = [3, 5, 7];

export interface CheckoutOrder {
  productId: string;
  requestId: string | null;
  email: string | null;
  successUrl: string | null;
  metadata: Record<string, unknown>;
}

/** A provider's bookkeeping: checkouts, charges and the life of subscriptions. Every change goes to `onHappening`. */
export class Merchant {
  readonly ledger: Ledger;
  readonly #clock: MovableClock;
  readonly #newId: Dialect['newId'];
  readonly #report: (happening: Happening) => void;
  /** Renewals still to fail, whatever the card. */
  failRenewals = 0;
  /** Lists leave out what is younger than this. */
  listLagMs = 0;

  constructor(
    ledger: Ledger,
    clock: MovableClock,
    newId: Dialect['newId'],
    onHappening: (happening: Happening) => void,
  ) {
    this.ledger = ledger;
    this.#clock = clock;
    this.#newId = newId;
    this.#report = onHappening;
  }

  openCheckout(order: CheckoutOrder): Checkout {
    findById(this.ledger.products, order.productId);
    const now = this.#clock.now();
    const checkout: Checkout = {
      ...order,
      id: this.#newId('checkout'),
      status: 'pending',
      customerId: null,
      subscriptionId: null,
      transactionId: null,
      createdAt: now,
      updatedAt: now,
    };
    this.ledger.checkouts.push(checkout);
    return checkout;
  }

  /** Pays a checkout. Returns why the card was refused; null: paid. A completed one is left as it is. */
  pay(checkoutId: string, card: string, email: string): string | null {
    const checkout = findById(this.ledger.checkouts, checkoutId);
    if (checkout.status === 'completed') return null;
    const reason = refusalOf(card, true);
    checkout.updatedAt = this.#clock.now();
    if (reason !== null) {
      checkout.status = 'failed';
      this.#report({ kind: 'checkout_failed', checkout, reason });
      return reason;
    }
    const customer = this.#customer(checkout.email ?? email);
    const subscription = this.#subscribe(checkout, customer, card);
    const transaction = this.#charge(
      checkout,
      customer,
      subscription,
      subscription?.anchor ?? this.#clock.now(),
    );
    checkout.status = 'completed';
    checkout.customerId = customer.id;
    checkout.transactionId = transaction.id;
    this.#report({ kind: 'paid', isFirst: true, checkout, subscription, transaction });
    return null;
  }

  abandon(checkoutId: string) {
    const checkout = findById(this.ledger.checkouts, checkoutId);
    if (checkout.status === 'completed' || checkout.status === 'abandoned') return;
    checkout.status = 'abandoned';
    checkout.updatedAt = this.#clock.now();
    this.#report({ kind: 'abandoned', checkout });
  }

  #customer(email: string): Customer {
    const known = this.ledger.customers.find((each) => each.email.toLowerCase() === email.toLowerCase());
    if (known) return known;
    const name = email.split('@')[0] ?? email;
    const customer = { id: this.#newId('customer'), email, name, createdAt: this.#clock.now() };
    this.ledger.customers.push(customer);
    return customer;
  }

  #subscribe(checkout: Checkout, customer: Customer, card: string): Subscription | null {
    const product = findById(this.ledger.products, checkout.productId);
    if (product.months === null) return null;
    const now = this.#clock.now();
    const subscription: Subscription = {
      id: this.#newId('subscription'),
      productId: product.id,
      customerId: customer.id,
      checkoutId: checkout.id,
      status: 'active',
      anchor: now,
      period: 0,
      periodStart: now,
      periodEnd: addMonths(now, product.months),
      cancelAt: null,
      card,
      failures: 0,
      retryAt: null,
      lastTransactionId: null,
      lastPaidAt: null,
      createdAt: now,
      updatedAt: now,
    };
    this.ledger.subscriptions.push(subscription);
    checkout.subscriptionId = subscription.id;
    return subscription;
  }

  /** Assumed: a renewal is an order and a transaction of its own. Prices include their tax, of which there is none here. */
  #charge(
    checkout: Checkout,
    customer: Customer,
    subscription: Subscription | null,
    now: number,
  ): Transaction {
    const product = findById(this.ledger.products, subscription?.productId ?? checkout.productId);
    const transaction: Transaction = {
      id: this.#newId('transaction'),
      orderId: this.#newId('order'),
      checkoutId: checkout.id,
      subscriptionId: subscription?.id ?? null,
      customerId: customer.id,
      productId: product.id,
      netMinor: product.priceMinor,
      taxMinor: 0,
      refundedMinor: 0,
      currency: product.currency,
      status: 'paid',
      periodStart: subscription?.periodStart ?? now,
      periodEnd: subscription?.periodEnd ?? now,
      createdAt: now,
      updatedAt: now,
    };
    this.ledger.transactions.push(transaction);
    if (subscription) {
      subscription.lastTransactionId = transaction.id;
      subscription.lastPaidAt = now;
    }
    return transaction;
  }

  #dueAt(subscription: Subscription): number | null {
    if (subscription.status === 'canceled' || subscription.status === 'paused') return null;
    return subscription.retryAt ?? subscription.periodEnd;
  }

  nextDue(): number | null {
    const times = this.ledger.subscriptions.map((each) => this.#dueAt(each) ?? Number.POSITIVE_INFINITY);
    const first = times.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY);
    return Number.isFinite(first) ? first : null;
  }

  /** Renews, tries again or ends the subscription that is due first. */
  async runNext() {
    const first = this.nextDue();
    const subscription = this.ledger.subscriptions.find((each) => this.#dueAt(each) === first);
    if (!subscription) return;
    if (subscription.status === 'scheduled_cancel') return this.end(subscription.id);
    const reason = this.failRenewals > 0 ? 'declined' : refusalOf(subscription.card, false);
    if (this.failRenewals > 0) this.failRenewals -= 1;
    if (reason === null) this.#renew(subscription);
    else this.#fail(subscription, reason);
  }

  #renew(subscription: Subscription) {
    const checkout = findById(this.ledger.checkouts, subscription.checkoutId);
    const months = findById(this.ledger.products, subscription.productId).months ?? 1;
    subscription.period += 1;
    subscription.periodStart = subscription.periodEnd;
    subscription.periodEnd = addMonths(subscription.anchor, months * (subscription.period + 1));
    subscription.failures = 0;
    subscription.retryAt = null;
    this.#set(subscription, 'active');
    const customer = findById(this.ledger.customers, subscription.customerId);
    const transaction = this.#charge(checkout, customer, subscription, this.#clock.now());
    this.#report({ kind: 'paid', isFirst: false, checkout, subscription, transaction });
  }

  /** Charges the present period once more. */
  chargeAgain(subscriptionId: string): Transaction {
    const subscription = findById(this.ledger.subscriptions, subscriptionId);
    const checkout = findById(this.ledger.checkouts, subscription.checkoutId);
    const customer = findById(this.ledger.customers, subscription.customerId);
    const transaction = this.#charge(checkout, customer, subscription, this.#clock.now());
    subscription.updatedAt = transaction.createdAt;
    this.#report({ kind: 'paid', isFirst: false, checkout, subscription, transaction });
    return transaction;
  }

  /** Puts a subscription on another product: from the next renewal, or `now`, which begins a period and charges it in full. */
  switchProduct(subscriptionId: string, productId: string, now: boolean) {
    const subscription = findById(this.ledger.subscriptions, subscriptionId);
    const product = findById(this.ledger.products, productId);
    subscription.productId = product.id;
    subscription.updatedAt = this.#clock.now();
    this.#report({ kind: 'switched', subscription });
    if (!now || product.months === null) return;
    subscription.anchor = this.#clock.now();
    subscription.period = 0;
    subscription.periodStart = subscription.anchor;
    subscription.periodEnd = addMonths(subscription.anchor, product.months);
    this.chargeAgain(subscriptionId);
  }

  /** What a list shows of these. */
  listed<T extends { createdAt: number }>(entries: readonly T[]): T[] {
    const until = this.#clock.now() - this.listLagMs;
    return this.listLagMs === 0 ? [...entries] : entries.filter(({ createdAt }) => createdAt <= until);
  }

  #fail(subscription: Subscription, reason: string) {
    const checkout = findById(this.ledger.checkouts, subscription.checkoutId);
    const days = RETRY_DAYS[subscription.failures];
    subscription.failures += 1;
    subscription.retryAt = days === undefined ? null : subscription.periodEnd + days * DAY_MS;
    this.#set(subscription, 'past_due');
    this.#report({ kind: 'charge_failed', subscription, checkout, reason });
    if (subscription.failures === 1) this.#report({ kind: 'lapsed', subscription });
    if (days === undefined) this.end(subscription.id);
  }

  #set(subscription: Subscription, status: Subscription['status']) {
    subscription.status = status;
    subscription.updatedAt = this.#clock.now();
  }

  /** Ends a subscription now. */
  end(subscriptionId: string) {
    const subscription = findById(this.ledger.subscriptions, subscriptionId);
    if (subscription.status === 'canceled') throw new NotPossible('Subscription is already canceled');
    subscription.cancelAt = this.#clock.now();
    subscription.retryAt = null;
    this.#set(subscription, 'canceled');
    this.#report({ kind: 'canceled', subscription });
  }

  /** Lets a subscription end with its period. */
  scheduleEnd(subscriptionId: string) {
    const subscription = findById(this.ledger.subscriptions, subscriptionId);
    if (subscription.status !== 'active') throw new NotPossible(`Subscription is ${subscription.status}`);
    subscription.cancelAt = subscription.periodEnd;
    this.#set(subscription, 'scheduled_cancel');
    this.#report({ kind: 'cancel_scheduled', subscription });
  }

  pause(subscriptionId: string) {
    const subscription = findById(this.ledger.subscriptions, subscriptionId);
    if (subscription.status !== 'active') throw new NotPossible(`Subscription is ${subscription.status}`);
    this.#set(subscription, 'paused');
    this.#report({ kind: 'paused', subscription });
  }

  /** Takes a pause or a scheduled end back. */
  resume(subscriptionId: string) {
    const subscription = findById(this.ledger.subscriptions, subscriptionId);
    if (subscription.status !== 'paused' && subscription.status !== 'scheduled_cancel')
      throw new NotPossible(`Subscription is ${subscription.status}`);
    subscription.cancelAt = null;
    this.#set(subscription, 'active');
    this.#report({ kind: 'resumed', subscription });
  }

  /** Gives back `amountMinor`, or all that remains. */
  refund(transactionId: string, amountMinor: number | null) {
    const transaction = findById(this.ledger.transactions, transactionId);
    const paid = transaction.netMinor + transaction.taxMinor;
    const amount = amountMinor ?? paid - transaction.refundedMinor;
    if (!(amount > 0 && transaction.refundedMinor + amount <= paid))
      throw new NotPossible('Nothing is left to refund');
    transaction.refundedMinor += amount;
    transaction.status = transaction.refundedMinor === paid ? 'refunded' : 'partialRefund';
    transaction.updatedAt = this.#clock.now();
    const id = this.#newId('refund');
    const refund = { id, transactionId, amountMinor: amount, createdAt: transaction.updatedAt };
    this.ledger.refunds.push(refund);
    this.#report({ kind: 'refunded', refund, transaction });
    return refund;
  }

  /** The customer's bank takes a charge back. */
  dispute(transactionId: string) {
    const transaction = findById(this.ledger.transactions, transactionId);
    transaction.status = 'chargedBack';
    transaction.updatedAt = this.#clock.now();
    this.#report({ kind: 'disputed', transaction });
  }
}
