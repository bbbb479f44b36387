import { randomBytes } from 'node:crypto';
import { findById, NotFound, NotPossible } from '../payments/ledger.ts';
import type { ProviderWorld } from '../payments/provider-world.ts';
import { CreemObjects } from './creem-objects.ts';

type Body = Record<string, unknown>;

/** One API call, after its key was found good. */
export interface CreemCall {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Body;
  apiKey: string;
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

/** A call that Creem answers with 400. */
class BadRequest extends Error {}

function page(items: unknown[], query: URLSearchParams) {
  const size = Math.min(100, Number(query.get('page_size') ?? 10) || 10);
  const current = Number(query.get('page_number') ?? 1) || 1;
  const pages = Math.max(1, Math.ceil(items.length / size));
  return {
    items: items.slice((current - 1) * size, current * size),
    pagination: {
      total_records: items.length,
      total_pages: pages,
      current_page: current,
      next_page: current < pages ? current + 1 : null,
      prev_page: current > 1 ? current - 1 : null,
    },
  };
}

/** Creem's API over one world; every answer is the body of a 200. */
export class CreemApi {
  readonly #world: Pick<ProviderWorld, 'merchant'>;
  readonly #objects: CreemObjects;
  readonly #urlOf: () => string;
  /** Links of the portal that were given out: token to customer. Assumed: they work until the emulator ends. */
  readonly portalTokens = new Map<string, string>();

  constructor(world: Pick<ProviderWorld, 'merchant'>, urlOf: () => string) {
    this.#world = world;
    this.#urlOf = urlOf;
    this.#objects = new CreemObjects(world.merchant.ledger, urlOf);
  }

  /** The answer to a call; undefined: there is no such path. */
  answer(call: CreemCall): unknown {
    const [, , noun, id, act] = call.path.split('/');
    const key = `${call.method} ${noun}`;
    if (key === 'POST checkouts') return this.#createCheckout(call.body);
    if (key === 'POST customers' && id === 'billing') return this.#openPortal(call.body);
    if (key === 'POST refunds') return this.#refund(call.body);
    if (key === 'POST subscriptions' && id && act) return this.#change(id, act, call.body);
    return call.method === 'GET' ? this.#read(noun ?? '', id ?? null, act ?? null, call.query) : undefined;
  }

  #createCheckout(body: Body) {
    const productId = text(body.product_id);
    const known = this.#world.merchant.ledger.products.some((each) => each.id === productId);
    if (productId === null || !known) throw new BadRequest('Product not found');
    const successUrl = text(body.success_url);
    if (successUrl !== null && !URL.canParse(successUrl))
      throw new BadRequest('success_url must be a URL address');
    const customer = (body.customer ?? {}) as Body;
    if (customer.id !== undefined && customer.email !== undefined)
      throw new BadRequest('customer: provide only one of id or email');
    const checkout = this.#world.merchant.openCheckout({
      productId,
      requestId: text(body.request_id),
      email: text(customer.email),
      successUrl,
      metadata: (body.metadata ?? {}) as Body,
    });
    return this.#objects.checkout(checkout);
  }

  #openPortal(body: Body) {
    const customer = findById(this.#world.merchant.ledger.customers, text(body.customer_id));
    const token = randomBytes(18).toString('base64url');
    this.portalTokens.set(token, customer.id);
    return { customer_portal_link: `${this.#urlOf()}/my-orders/login/${token}` };
  }

  #refund(body: Body) {
    this.#world.merchant.refund(text(body.transaction_id) ?? '', null);
    return { status: 'succeeded' };
  }

  #change(id: string, act: string, body: Body) {
    const { merchant } = this.#world;
    const subscription = findById(merchant.ledger.subscriptions, id);
    if (act === 'cancel') {
      // Assumed: the store's own setting, which decides without a mode, is to cancel at once.
      if (body.mode === 'scheduled') merchant.scheduleEnd(id);
      else merchant.end(id);
    } else if (act === 'resume') merchant.resume(id);
    else if (act === 'pause') merchant.pause(id);
    else return undefined;
    return this.#objects.subscription(subscription);
  }

  #read(noun: string, id: string | null, act: string | null, query: URLSearchParams): unknown {
    const { merchant } = this.#world;
    const { ledger } = merchant;
    const objects = this.#objects;
    const isList = id === 'search' || id === 'list';
    switch (noun) {
      case 'checkouts':
        return objects.checkout(findById(ledger.checkouts, query.get('checkout_id')));
      case 'products':
        return isList
          ? page(
              ledger.products.map((each) => objects.product(each)),
              query,
            )
          : objects.product(findById(ledger.products, id ?? query.get('product_id')));
      case 'subscriptions':
        return isList
          ? page(
              merchant
                .listed(ledger.subscriptions)
                .toReversed()
                .map((each) => objects.subscription(each)),
              query,
            )
          : objects.subscription(findById(ledger.subscriptions, query.get('subscription_id')));
      case 'transactions':
        return isList
          ? page(this.#searchTransactions(query), query)
          : objects.transaction(findById(ledger.transactions, query.get('transaction_id')));
      case 'customers':
        return this.#readCustomers(id, act, query);
      default:
        return undefined;
    }
  }

  #searchTransactions(query: URLSearchParams) {
    const fits = (name: string, value: string | null) => !query.has(name) || query.get(name) === value;
    const { merchant } = this.#world;
    return merchant
      .listed(merchant.ledger.transactions)
      .filter(
        (each) =>
          fits('customer_id', each.customerId) &&
          fits('order_id', each.orderId) &&
          fits('product_id', each.productId),
      )
      .toReversed()
      .map((each) => this.#objects.transaction(each));
  }

  #readCustomers(id: string | null, act: string | null, query: URLSearchParams) {
    const { customers, subscriptions } = this.#world.merchant.ledger;
    if (id === 'list')
      return page(
        customers.map((each) => this.#objects.customer(each)),
        query,
      );
    if (id !== null && act === 'subscriptions') {
      const own = subscriptions.filter((each) => each.customerId === id);
      return page(
        own.map((each) => this.#objects.subscription(each)),
        query,
      );
    }
    const email = query.get('email');
    const found = email === null ? null : customers.find((each) => each.email === email);
    return this.#objects.customer(findById(customers, found?.id ?? query.get('customer_id')));
  }
}

/** The status of what the API threw; null: a bug of the emulator. */
export function statusOfFault(error: unknown): number | null {
  if (error instanceof BadRequest || error instanceof NotPossible || error instanceof SyntaxError) return 400;
  return error instanceof NotFound ? 404 : null;
}
