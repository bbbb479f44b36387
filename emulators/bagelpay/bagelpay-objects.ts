import {
  type Checkout,
  findById,
  type Ledger,
  type Product,
  type Refund,
  type Subscription,
  type Transaction,
} from '../payments/ledger.ts';

const CHECKOUT_LIFE_MS = 24 * 3_600_000;
const INTERVALS: Record<number, string> = { 1: 'monthly', 3: '3months', 6: '6months', 12: 'yearly' };

/** A time as BagelPay writes it: without a zone. Assumed: UTC. */
function time(ms: number, withMilliseconds = false): string {
  return new Date(ms)
    .toISOString()
    .replace('T', ' ')
    .slice(0, withMilliseconds ? 23 : 19);
}

const major = (minor: number) => Number((minor / 100).toFixed(2));

/** BagelPay's objects, in the shapes of its API and its webhooks. */
export class BagelpayObjects {
  readonly #ledger: Ledger;
  readonly #urlOf: () => string;

  constructor(ledger: Ledger, urlOf: () => string) {
    this.#ledger = ledger;
    this.#urlOf = urlOf;
  }

  product(product: Product) {
    return {
      object: 'product',
      mode: 'test',
      product_id: product.id,
      store_id: 'store_1',
      name: product.name,
      description: product.description,
      price: major(product.priceMinor),
      currency: product.currency,
      billing_type: product.months === null ? 'single_payment' : 'subscription',
      recurring_interval: product.months === null ? null : (INTERVALS[product.months] ?? 'monthly'),
      trial_days: 0,
      tax_category: 'digital_products',
      tax_inclusive: true,
      // The documentation's own samples say so of fresh products.
      is_archive: true,
      product_url: `${this.#urlOf()}/product/${product.id}`,
      created_at: time(product.createdAt),
      updated_at: time(product.createdAt),
    };
  }

  checkout(checkout: Checkout) {
    return {
      object: 'checkout',
      units: 1,
      metadata: checkout.metadata,
      status: checkout.status === 'completed' ? 'completed' : 'pending',
      mode: 'test',
      payment_id: checkout.id,
      product_id: checkout.productId,
      request_id: checkout.requestId ?? checkout.id,
      success_url: checkout.successUrl,
      checkout_url: `${this.#urlOf()}/checkout/${checkout.id}`,
      created_at: time(checkout.createdAt, true),
      updated_at: time(checkout.updatedAt, true),
      // Assumed: a session lives for a day; the length is not documented.
      expires_on: time(checkout.createdAt + CHECKOUT_LIFE_MS),
    };
  }

  subscription(subscription: Subscription) {
    const product = findById(this.#ledger.products, subscription.productId);
    return {
      // Assumed: `past_due` exists; the documented four are active, canceled, paused and trialing.
      status: subscription.status,
      remark: null,
      customer: this.#customer(subscription.customerId),
      mode: 'test',
      last4: subscription.card.slice(-4),
      subscription_id: subscription.id,
      product_id: subscription.productId,
      store_id: 'store_1',
      billing_period_start: time(subscription.periodStart),
      billing_period_end: time(subscription.periodEnd),
      cancel_at: subscription.cancelAt === null ? null : time(subscription.cancelAt),
      trial_start: null,
      trial_end: null,
      units: 1,
      created_at: time(subscription.createdAt),
      updated_at: time(subscription.updatedAt),
      product_name: product.name,
      payment_method: 'card',
      next_billing_amount: product.priceMinor,
      recurring_interval: INTERVALS[product.months ?? 1] ?? 'monthly',
    };
  }

  #customer(customerId: string) {
    return { id: customerId, email: findById(this.#ledger.customers, customerId).email };
  }

  /** A row of the transaction list: `amount` in minor, `fees` and `net` in major units, as in the vendor's sample. */
  transaction(transaction: Transaction) {
    const paid = transaction.netMinor + transaction.taxMinor;
    const fees = Math.round(paid * 0.05);
    return {
      object: 'transaction',
      order_id: transaction.orderId,
      transaction_id: transaction.id,
      amount: paid,
      amount_paid: paid,
      discount_amount: 0,
      currency: transaction.currency.toLowerCase(),
      tax_amount: transaction.taxMinor,
      tax_country: 'US',
      refunded_amount: transaction.refundedMinor,
      type: 'payment',
      customer: { ...this.#customer(transaction.customerId), id: Number(transaction.customerId) },
      created_at: time(transaction.createdAt),
      updated_at: time(transaction.updatedAt),
      remark: null,
      mode: 'test',
      fees: major(fees),
      tax: major(transaction.taxMinor),
      net: major(paid - fees - transaction.taxMinor),
    };
  }

  /** The object of a webhook. Only that of a paid checkout is documented; the optional parts are assumed for the others. */
  event(
    checkout: Checkout,
    with_: { transaction?: Transaction | null; subscription?: Subscription | null; orderStatus?: string },
  ) {
    const { transaction, subscription, orderStatus } = with_;
    const product = findById(this.#ledger.products, transaction?.productId ?? checkout.productId);
    const order = transaction
      ? {
          order: {
            object: 'order',
            order_id: transaction.orderId,
            product_id: transaction.productId,
            status: orderStatus ?? 'paid',
            amount: major(transaction.netMinor),
            tax_amount: major(transaction.taxMinor),
            currency: transaction.currency.toLowerCase(),
            created_at: time(transaction.createdAt, true),
            updated_at: time(transaction.updatedAt, true),
          },
        }
      : {};
    return {
      object: 'checkout',
      mode: 'test',
      payment_id: checkout.id,
      request_id: checkout.requestId ?? checkout.id,
      ...order,
      product: this.product(product),
      ...(checkout.customerId === null ? {} : { customer: this.#customer(checkout.customerId) }),
      ...(subscription ? { subscription: this.subscription(subscription) } : {}),
      metadata: checkout.metadata,
      success_url: checkout.successUrl,
    };
  }

  refund(refund: Refund) {
    const transaction = findById(this.#ledger.transactions, refund.transactionId);
    const checkout = findById(this.#ledger.checkouts, transaction.checkoutId);
    const subscription = this.#ledger.subscriptions.find((each) => each.id === transaction.subscriptionId);
    const status = transaction.status === 'refunded' ? 'refunded' : 'partial_refund';
    return {
      ...this.event(checkout, { transaction, subscription: subscription ?? null, orderStatus: status }),
      refund: {
        refund_id: refund.id,
        amount: major(refund.amountMinor),
        currency: transaction.currency.toLowerCase(),
        status,
        created_at: time(refund.createdAt),
      },
    };
  }
}
