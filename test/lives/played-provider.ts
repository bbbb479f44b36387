import type { Provider } from '#contract/choices.ts';
import { BagelpayApi } from '#emulators/bagelpay/bagelpay-api.ts';
import { BAGELPAY_WEBHOOKS, createBagelpayDialect } from '#emulators/bagelpay/bagelpay-dialect.ts';
import { CreemApi } from '#emulators/creem/creem-api.ts';
import { CREEM_WEBHOOKS, createCreemDialect } from '#emulators/creem/creem-dialect.ts';
import type { Happening, WebhookNews } from '#emulators/payments/happening.ts';
import {
  emptyLedger,
  findById,
  type Ledger,
  NotFound,
  type Subscription,
  type Transaction,
} from '#emulators/payments/ledger.ts';
import { Merchant } from '#emulators/payments/merchant.ts';
import { MovableClock } from '#emulators/payments/movable-clock.ts';
import { productsOf } from '#emulators/payments/products-of.ts';
import { PLANS } from '#server/catalogue/plans.ts';

/** One webhook as a provider writes it, before anybody sends it. */
export interface PlayedEvent {
  /** Its type and how many of that type came before: `subscription.paid 2`. */
  label: string;
  body: string;
}

interface Answer {
  status: number;
  body: unknown;
}

type Api = (method: string, path: string, query: URLSearchParams, body: object) => Answer;

const noUrl = () => 'http://127.0.0.1:9';
const PENDING_REFUND = { creem: 'pending', bagelpay: 'processing' } as const;

/** A provider in this process, on a clock that stands until it is moved: what happens there, its webhooks, its answers. */
export class PlayedProvider {
  readonly name: Provider;
  readonly clock = new MovableClock();
  readonly ledger = emptyLedger();
  readonly events: PlayedEvent[] = [];
  readonly merchant: Merchant;
  readonly #newsOf: (happening: Happening) => WebhookNews[];
  readonly #newId: ReturnType<typeof createCreemDialect>['newId'];
  readonly #present: Api;
  #past: Api | null = null;

  constructor(name: Provider) {
    this.name = name;
    const dialect = name === 'creem' ? createCreemDialect : createBagelpayDialect;
    const { newsOf, newId } = dialect(this.ledger, noUrl);
    this.#newsOf = newsOf;
    this.#newId = newId;
    this.clock.hold(0);
    this.merchant = new Merchant(this.ledger, this.clock, newId, (happening) => this.#tell(happening));
    for (const product of productsOf(PLANS)) this.ledger.products.push({ ...product, createdAt: 0 });
    this.#present = this.#apiOver(this.ledger);
  }

  #tell(happening: Happening, change: (news: WebhookNews) => void = () => {}) {
    for (const news of this.#newsOf(happening)) {
      change(news);
      this.emit(news);
    }
  }

  /** Writes a webhook. */
  emit(news: WebhookNews) {
    const format = this.name === 'creem' ? CREEM_WEBHOOKS : BAGELPAY_WEBHOOKS;
    const count = this.events.filter(({ label }) => label.startsWith(`${news.type} `)).length;
    const body = format.write(format.newEventId(), structuredClone(news), this.clock.now());
    this.events.push({ label: `${news.type} ${count + 1}`, body });
  }

  /** Its API over a ledger: over the present one, or over a copy, for lists that lag behind. */
  #apiOver(ledger: Ledger): Api {
    const merchant =
      ledger === this.ledger ? this.merchant : new Merchant(ledger, this.clock, this.#newId, () => {});
    const api =
      this.name === 'creem' ? new CreemApi({ merchant }, noUrl) : new BagelpayApi({ merchant }, noUrl);
    const missing = { status: this.name === 'creem' ? 404 : 200, body: { code: 404, msg: 'Not Found' } };
    return (method, path, query, body) => {
      try {
        const call = { method, path, query, body: body as Record<string, unknown>, apiKey: 'key' };
        const answer = api.answer(call);
        return answer === undefined ? missing : { status: 200, body: answer };
      } catch (error) {
        if (error instanceof NotFound) return missing;
        return { status: 400, body: { code: 400, error: String(error) } };
      }
    };
  }

  /** From now on its lists show how things stand at this moment; `catchUp` ends that. */
  lag() {
    this.#past = this.#apiOver(structuredClone(this.ledger));
  }

  catchUp() {
    this.#past = null;
  }

  /** What it answers to an API call now. */
  answer(method: string, path: string, query = new URLSearchParams(), body: object = {}): Answer {
    const isList = /\/(list|search)$/.test(path);
    return (isList && this.#past ? this.#past : this.#present)(method, path, query, body);
  }

  /** The charges of a checkout, oldest first. */
  chargesOf(checkoutId: string): Transaction[] {
    return this.ledger.transactions.filter((each) => each.checkoutId === checkoutId);
  }

  subscriptionsOf(checkoutId: string): Subscription[] {
    return this.ledger.subscriptions.filter((each) => each.checkoutId === checkoutId);
  }

  /** Charges the present period of a subscription a second time. */
  chargeAgain(subscription: Subscription) {
    const checkout = findById(this.ledger.checkouts, subscription.checkoutId);
    const first = findById(this.ledger.transactions, subscription.lastTransactionId);
    const now = this.clock.now();
    const transaction: Transaction = {
      ...first,
      ...{ id: this.#newId('transaction'), orderId: this.#newId('order'), refundedMinor: 0, status: 'paid' },
      ...{ periodStart: now, createdAt: now, updatedAt: now },
    };
    this.ledger.transactions.push(transaction);
    Object.assign(subscription, { lastTransactionId: transaction.id, lastPaidAt: now, updatedAt: now });
    this.#tell({ kind: 'paid', isFirst: false, checkout, subscription, transaction });
  }

  /** A hosted page that was paid already is paid again, in another tab: a second subscription of the same order. */
  payAgain(checkoutId: string, email: string) {
    const checkout = findById(this.ledger.checkouts, checkoutId);
    Object.assign(checkout, { status: 'pending' });
    this.merchant.pay(checkoutId, '4242424242424242', email);
  }

  /** From the next charge on the subscription sells something else. */
  switchPlan(subscription: Subscription, productId: string) {
    Object.assign(subscription, { productId, updatedAt: this.clock.now() });
    this.#tell({ kind: 'resumed', subscription });
  }

  /** Renews this subscription now, at the price of what it sells now. */
  async renew(subscription: Subscription) {
    await this.#runOf(subscription);
    const { productId, lastTransactionId } = subscription;
    const { priceMinor } = findById(this.ledger.products, productId);
    Object.assign(findById(this.ledger.transactions, lastTransactionId), { productId, netMinor: priceMinor });
  }

  /** Its renewal is declined now. */
  async failRenewal(subscription: Subscription) {
    this.merchant.failRenewals = 1;
    await this.#runOf(subscription);
  }

  /** What is due of this subscription comes before all others. */
  async #runOf(subscription: Subscription) {
    subscription.retryAt = Number.MIN_SAFE_INTEGER;
    await this.merchant.runNext();
  }

  /** Reports a refund that is not done yet; `finishRefund` does it, of which nothing is reported. */
  beginRefund(transactionId: string, amountMinor: number) {
    const transaction = findById(this.ledger.transactions, transactionId);
    const createdAt = this.clock.now();
    const refund = { id: this.#newId('refund'), transactionId, amountMinor, createdAt };
    const status = PENDING_REFUND[this.name];
    this.ledger.refunds.push(refund);
    this.#tell({ kind: 'refunded', refund, transaction }, ({ object }) => {
      Object.assign(object, { status });
      for (const part of [object.refund, object.order])
        if (this.name === 'bagelpay') Object.assign(part ?? {}, { status });
    });
  }

  finishRefund(transactionId: string, amountMinor: number) {
    const transaction = findById(this.ledger.transactions, transactionId);
    const paid = transaction.netMinor + transaction.taxMinor;
    transaction.refundedMinor += amountMinor;
    transaction.status = transaction.refundedMinor === paid ? 'refunded' : 'partialRefund';
    transaction.updatedAt = this.clock.now();
  }

  misstate(transactionId: string, amountMinor: number) {
    Object.assign(findById(this.ledger.transactions, transactionId), { netMinor: amountMinor });
  }

  /** A charge is shown as if it had never been disputed. */
  setPaid(transactionId: string) {
    const transaction = findById(this.ledger.transactions, transactionId);
    Object.assign(transaction, { status: 'paid', updatedAt: this.clock.now() });
  }
}
