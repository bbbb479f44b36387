import type { Caller } from '../call-provider.ts';
import type { Fact, SubscriptionFact } from '../facts.ts';
import type { Fields } from '../fields.ts';
import type { FactPage, OrderQuery, PaymentProvider } from '../provider.ts';
import { orMissing } from '../provider-error.ts';
import { readCreemCheckout } from './read-checkout.ts';
import { readCreemSubscription } from './read-subscription.ts';
import { readCreemTransaction } from './read-transaction.ts';

const PAGE_SIZE = 50;
/** A customer with more charges than this is left to the daily sweep. */
const MAX_PAGES = 10;
const NOTHING_MORE = { orderId: null };

type Questions =
  | 'fetchOrder'
  | 'fetchSubscription'
  | 'bindCharge'
  | 'fetchTransaction'
  | 'listSubscriptions'
  | 'listTransactions';

/** The questions that Creem answers. */
export interface CreemReader extends Pick<PaymentProvider, Questions> {
  /** The subscription as it is now; null: unknown there. */
  fetchSnapshot(subscriptionId: string): Promise<SubscriptionFact | null>;
}

async function readPage(caller: Caller, path: string, page: number, query: Record<string, string> = {}) {
  const answer = await caller.get(path, { ...query, page_number: page, page_size: PAGE_SIZE });
  const pagination = answer.object('pagination');
  const next = pagination.whole('next_page');
  return {
    items: answer.list('items'),
    nextPage: next !== null && next > page ? next : null,
    lastPage: Math.max(page, pagination.whole('total_pages') ?? page),
  };
}

async function fetchPayments(caller: Caller, subscription: SubscriptionFact): Promise<Fact[]> {
  const { customerId, subscriptionId, orderId } = subscription;
  const facts: Fact[] = [];
  let next: number | null = 1;
  while (customerId !== null && next !== null && next <= MAX_PAGES) {
    const page = await readPage(caller, '/v1/transactions/search', next, { customer_id: customerId });
    const ours = page.items.filter((item) => item.id('subscription') === subscriptionId);
    facts.push(...ours.flatMap((item) => readCreemTransaction(item, { orderId })));
    next = page.nextPage;
  }
  return facts;
}

function readSnapshots(item: Fields): Fact[] {
  const snapshot = readCreemSubscription(item, null);
  return snapshot ? [snapshot] : [];
}

function withOrder(fact: Fact, orderId: string): Fact {
  return fact.kind === 'unknown' ? fact : { ...fact, orderId: fact.orderId ?? orderId };
}

export function createCreemReader(caller: Caller): CreemReader {
  async function fetchSnapshot(subscriptionId: string) {
    const query = { subscription_id: subscriptionId };
    const answer = await orMissing(() => caller.get('/v1/subscriptions', query));
    return answer && readCreemSubscription(answer, null);
  }

  async function fetchTransaction(transactionId: string): Promise<Fact[]> {
    const query = { transaction_id: transactionId };
    const answer = await orMissing(() => caller.get('/v1/transactions', query));
    return answer ? readCreemTransaction(answer, NOTHING_MORE) : [];
  }

  async function fetchSubscription(subscriptionId: string): Promise<Fact[]> {
    const snapshot = await fetchSnapshot(subscriptionId);
    return snapshot ? [snapshot, ...(await fetchPayments(caller, snapshot))] : [];
  }

  async function fetchOrder({ orderId, checkoutId }: OrderQuery): Promise<Fact[]> {
    if (checkoutId === null) return [];
    const answer = await orMissing(() => caller.get('/v1/checkouts', { checkout_id: checkoutId }));
    if (!answer) return [];
    const facts = readCreemCheckout(answer, null);
    const bound = facts.find((fact) => fact.kind === 'checkout')?.subscriptionId ?? null;
    const more = bound === null ? [] : await fetchSubscription(bound);
    return [...facts, ...more.map((fact) => withOrder(fact, orderId))];
  }

  async function listFacts(path: string, page: number, read: (item: Fields) => Fact[]): Promise<FactPage> {
    const { items, ...position } = await readPage(caller, path, page);
    return { facts: items.flatMap(read), ...position };
  }

  return {
    fetchSnapshot,
    fetchOrder,
    fetchSubscription,
    bindCharge: async ({ subscriptionId }) =>
      subscriptionId === null ? [] : fetchSubscription(subscriptionId),
    fetchTransaction,
    listSubscriptions: (page) => listFacts('/v1/subscriptions/search', page, readSnapshots),
    listTransactions: (page) =>
      listFacts('/v1/transactions/search', page, (item) => readCreemTransaction(item, NOTHING_MORE)),
  };
}
