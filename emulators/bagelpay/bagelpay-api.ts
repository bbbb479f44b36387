import { findById, NotFound, NotPossible } from '../payments/ledger.ts';
import type { ProviderWorld } from '../payments/provider-world.ts';
import { BagelpayObjects } from './bagelpay-objects.ts';

type Body = Record<string, unknown>;

export interface BagelpayCall {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Body;
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
const single = (data: unknown) => ({ msg: 'Operation successful', code: 200, data });

/** The body that says no. Assumed: business errors come with HTTP 200, as SDK and documentation suggest. */
export function refusal(code: number, msg: string) {
  return { msg, code, data: null };
}

function list(items: unknown[], query: URLSearchParams) {
  const size = Math.min(100, Number(query.get('pageSize') ?? 10) || 10);
  const page = Number(query.get('pageNum') ?? 1) || 1;
  return {
    total: items.length,
    items: items.slice((page - 1) * size, page * size),
    code: 200,
    msg: 'success',
  };
}

/** BagelPay's API over one world; every answer is the body of an HTTP 200. */
export class BagelpayApi {
  readonly #world: Pick<ProviderWorld, 'merchant'>;
  readonly #objects: BagelpayObjects;

  constructor(world: Pick<ProviderWorld, 'merchant'>, urlOf: () => string) {
    this.#world = world;
    this.#objects = new BagelpayObjects(world.merchant.ledger, urlOf);
  }

  /** The answer to a call; undefined: there is no such path. */
  answer(call: BagelpayCall): unknown {
    try {
      return this.#answer(call);
    } catch (error) {
      if (error instanceof NotFound) return refusal(404, 'Resource not found');
      if (error instanceof NotPossible) return refusal(400, error.message);
      throw error;
    }
  }

  #answer({ method, path, query, body }: BagelpayCall): unknown {
    const [, , noun, id, act] = path.split('/');
    if (method === 'POST' && noun === 'payments' && id === 'checkouts') return this.#createCheckout(body);
    if (method === 'POST' && noun === 'subscriptions' && id && act === 'cancel') {
      this.#world.merchant.end(id);
      return this.#read('subscriptions', id, query);
    }
    return method === 'GET' && noun && id && !act ? this.#read(noun, id, query) : undefined;
  }

  #createCheckout(body: Body) {
    const productId = text(body.product_id);
    if (productId === null) return refusal(400, 'product_id is required');
    findById(this.#world.merchant.ledger.products, productId);
    const checkout = this.#world.merchant.openCheckout({
      productId,
      requestId: text(body.request_id),
      email: text(((body.customer ?? {}) as Body).email),
      successUrl: text(body.success_url),
      metadata: (body.metadata ?? {}) as Body,
    });
    return single(this.#objects.checkout(checkout));
  }

  #read(noun: string, id: string, query: URLSearchParams): unknown {
    const { merchant } = this.#world;
    const { ledger } = merchant;
    switch (`${noun} ${id === 'list' ? 'list' : 'one'}`) {
      case 'products list':
        return list(
          ledger.products.map((each) => this.#objects.product(each)),
          query,
        );
      case 'products one':
        return single(this.#objects.product(findById(ledger.products, id)));
      case 'subscriptions list':
        return list(
          merchant
            .listed(ledger.subscriptions)
            .toReversed()
            .map((each) => this.#objects.subscription(each)),
          query,
        );
      case 'subscriptions one':
        return single(this.#objects.subscription(findById(ledger.subscriptions, id)));
      case 'transactions list':
        return list(
          merchant
            .listed(ledger.transactions)
            .toReversed()
            .map((each) => this.#objects.transaction(each)),
          query,
        );
      case 'customers list':
        return list(
          ledger.customers.map(({ id: customerId, name, email }) => ({
            id: Number(customerId),
            name,
            email,
          })),
          query,
        );
      default:
        return undefined;
    }
  }
}
