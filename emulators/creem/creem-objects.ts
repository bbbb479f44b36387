import {
  type Checkout,
  type Customer,
  findById,
  type Ledger,
  type Product,
  type Refund,
  type Subscription,
  type Transaction,
} from '../payments/ledger.ts';

const iso = (ms: number) => new Date(ms).toISOString();

const PERIODS: Record<number, string> = {
  1: 'every-month',
  3: 'every-three-months',
  6: 'every-six-months',
  12: 'every-year',
};

/** Creem's objects, in the shapes of its API and its webhooks. Mode is always `test`. */
export class CreemObjects {
  readonly #ledger: Ledger;
  readonly #urlOf: () => string;

  constructor(ledger: Ledger, urlOf: () => string) {
    this.#ledger = ledger;
    this.#urlOf = urlOf;
  }

  product(product: Product) {
    return {
      id: product.id,
      object: 'product',
      mode: 'test',
      name: product.name,
      description: product.description,
      price: product.priceMinor,
      currency: product.currency,
      billing_type: product.months === null ? 'onetime' : 'recurring',
      billing_period: product.months === null ? 'once' : (PERIODS[product.months] ?? 'custom'),
      status: 'active',
      tax_mode: 'inclusive',
      tax_category: 'saas',
      product_url: `${this.#urlOf()}/product/${product.id}`,
      default_success_url: null,
      created_at: iso(product.createdAt),
      updated_at: iso(product.createdAt),
    };
  }

  customer(customer: Customer) {
    return {
      id: customer.id,
      object: 'customer',
      mode: 'test',
      email: customer.email,
      name: customer.name,
      country: 'NL',
      created_at: iso(customer.createdAt),
      updated_at: iso(customer.createdAt),
    };
  }

  transaction(transaction: Transaction) {
    return {
      id: transaction.id,
      object: 'transaction',
      mode: 'test',
      amount: transaction.netMinor,
      amount_paid: transaction.netMinor + transaction.taxMinor,
      discount_amount: 0,
      currency: transaction.currency,
      type: transaction.subscriptionId === null ? 'payment' : 'invoice',
      tax_country: 'NL',
      tax_amount: transaction.taxMinor,
      status: transaction.status,
      refunded_amount: transaction.refundedMinor === 0 ? null : transaction.refundedMinor,
      order: transaction.orderId,
      subscription: transaction.subscriptionId,
      customer: transaction.customerId,
      description: 'Subscription payment',
      period_start: transaction.periodStart,
      period_end: transaction.periodEnd,
      created_at: transaction.createdAt,
    };
  }

  order(transaction: Transaction) {
    const paid = transaction.netMinor + transaction.taxMinor;
    return {
      id: transaction.orderId,
      object: 'order',
      mode: 'test',
      customer: transaction.customerId,
      product: transaction.productId,
      transaction: transaction.id,
      amount: transaction.netMinor,
      sub_total: transaction.netMinor,
      tax_amount: transaction.taxMinor,
      discount_amount: 0,
      amount_due: paid,
      amount_paid: paid,
      currency: transaction.currency,
      status: 'paid',
      type: transaction.subscriptionId === null ? 'onetime' : 'recurring',
      created_at: iso(transaction.createdAt),
      updated_at: iso(transaction.updatedAt),
    };
  }

  /** A subscription as API answers and most events show it, with product and customer inside. */
  subscription(subscription: Subscription) {
    const { status } = subscription;
    const checkout = findById(this.#ledger.checkouts, subscription.checkoutId);
    const renews = status === 'active' ? { next_transaction_date: iso(subscription.periodEnd) } : {};
    const paid =
      subscription.lastPaidAt === null
        ? {}
        : {
            last_transaction_id: subscription.lastTransactionId,
            last_transaction_date: iso(subscription.lastPaidAt),
          };
    return {
      ...this.#subscriptionHead(subscription),
      product: this.product(findById(this.#ledger.products, subscription.productId)),
      customer: this.customer(findById(this.#ledger.customers, subscription.customerId)),
      items: [
        {
          id: `sitem_${subscription.id.slice(4)}`,
          object: 'subscription_item',
          product_id: subscription.productId,
          price_id: `pprice_${subscription.productId.slice(5)}`,
          units: 1,
          mode: 'test',
        },
      ],
      ...paid,
      ...renews,
      current_period_start_date: iso(subscription.periodStart),
      current_period_end_date: iso(subscription.periodEnd),
      metadata: checkout.metadata,
    };
  }

  #subscriptionHead(subscription: Subscription) {
    const { id, status, cancelAt, createdAt, updatedAt } = subscription;
    return {
      id,
      object: 'subscription',
      mode: 'test',
      collection_method: 'charge_automatically',
      status,
      canceled_at: status === 'canceled' && cancelAt !== null ? iso(cancelAt) : null,
      created_at: iso(createdAt),
      updated_at: iso(updatedAt),
    };
  }

  /** The same with ids inside, as it stands in a checkout. */
  subscriptionInside(subscription: Subscription) {
    const checkout = findById(this.#ledger.checkouts, subscription.checkoutId);
    const { productId: product, customerId: customer } = subscription;
    return { ...this.#subscriptionHead(subscription), product, customer, metadata: checkout.metadata };
  }

  checkout(checkout: Checkout) {
    const completed = checkout.status === 'completed';
    const ofLedger = <T extends { id: string }>(list: T[], id: string | null) =>
      list.find((each) => each.id === id);
    const transaction = ofLedger(this.#ledger.transactions, checkout.transactionId);
    const subscription = ofLedger(this.#ledger.subscriptions, checkout.subscriptionId);
    const customer = ofLedger(this.#ledger.customers, checkout.customerId);
    return {
      id: checkout.id,
      object: 'checkout',
      mode: 'test',
      status: completed ? 'completed' : 'pending',
      ...(checkout.requestId === null ? {} : { request_id: checkout.requestId }),
      product: this.product(findById(this.#ledger.products, checkout.productId)),
      units: 1,
      ...(transaction ? { order: this.order(transaction) } : {}),
      ...(subscription ? { subscription: this.subscriptionInside(subscription) } : {}),
      ...(customer ? { customer: this.customer(customer) } : {}),
      custom_fields: [],
      checkout_url: `${this.#urlOf()}/checkout/${checkout.id}`,
      ...(checkout.successUrl === null ? {} : { success_url: checkout.successUrl }),
      metadata: checkout.metadata,
    };
  }

  refund(refund: Refund) {
    const transaction = findById(this.#ledger.transactions, refund.transactionId);
    const { transaction: inside, ...around } = this.#around(transaction);
    return {
      id: refund.id,
      object: 'refund',
      mode: 'test',
      status: 'succeeded',
      refund_amount: refund.amountMinor,
      refund_currency: transaction.currency,
      reason: 'requested_by_customer',
      transaction: inside,
      ...around,
      created_at: refund.createdAt,
    };
  }

  dispute(disputeId: string, transaction: Transaction) {
    const { transaction: inside, ...around } = this.#around(transaction);
    return {
      id: disputeId,
      object: 'dispute',
      mode: 'test',
      amount: transaction.netMinor + transaction.taxMinor,
      currency: transaction.currency,
      transaction: { ...inside, status: 'chargeback' },
      ...around,
      created_at: transaction.updatedAt,
    };
  }

  #around(transaction: Transaction) {
    const subscription = this.#ledger.subscriptions.find((each) => each.id === transaction.subscriptionId);
    return {
      transaction: this.transaction(transaction),
      checkout: this.checkout(findById(this.#ledger.checkouts, transaction.checkoutId)),
      order: this.order(transaction),
      ...(subscription ? { subscription: this.subscriptionInside(subscription) } : {}),
      customer: this.customer(findById(this.#ledger.customers, transaction.customerId)),
    };
  }
}
