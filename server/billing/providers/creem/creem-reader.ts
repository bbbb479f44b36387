import type { Caller } from '../call-provider.ts';
import { completePayment } from '../complete-payment.ts';
import type { Fact, PaymentFact, SubscriptionFact } from '../facts.ts';
import type { Fields } from '../fields.ts';
import type { FactPage, OrderQuery, PaymentProvider } from '../provider.ts';
import { orMissing } from '../provider-error.ts';
import { readCreemCheckout } from './read-checkout.ts';
import { readCreemSubscription } from './read-subscription.ts';
import { readCreemTransaction } from './read-transaction.ts';

const PAGE_SIZE = 50;
/** A customer with more charges than this is left to the daily sweep. */
const MOST_PAGES = 10;

type Reader = Pick<
  PaymentProvider,
  | 'resolve'
  | 'fetchOrder'
  | 'fetchSubscription'
  | 'fetchTransaction'
  | 'listSubscriptions'
  | 'listTransactions'
>;

/** The questions that Creem answers. */
export function createCreemReader(caller: Caller): Reader {
  async function fetchSnapshot(subscriptionId: string): Promise<SubscriptionFact | null> {
    const query = { subscription_id: subscriptionId };
    const answer = await orMissing(() => caller.get('/v1/subscriptions', query));
    return answer && readCreemSubscription(answer, null);
  }

  async function fetchTransaction(transactionId: string): Promise<Fact[]> {
    const query = { transaction_id: transactionId };
    const answer = await orMissing(() => caller.get('/v1/transactions', query));
    return answer ? readCreemTransaction(answer, { productId: null, orderId: null }) : [];
  }

  async function fetchPayments({ customerId, subscriptionId, productId, orderId }: SubscriptionFact) {
    const facts: Fact[] = [];
    let next: number | null = 1;
    while (customerId !== null && next !== null && next <= MOST_PAGES) {
      const page = await readPage('/v1/transactions/search', next, { customer_id: customerId });
      const ours = page.items.filter((item) => item.id('subscription') === subscriptionId);
      facts.push(...ours.flatMap((item) => readCreemTransaction(item, { productId, orderId })));
      next = page.nextPage;
    }
    return facts;
  }

  async function fetchSubscription(subscriptionId: string): Promise<Fact[]> {
    const snapshot = await fetchSnapshot(subscriptionId);
    return snapshot ? [snapshot, ...(await fetchPayments(snapshot))] : [];
  }

  async function fetchOrder({ orderId, checkoutId }: OrderQuery): Promise<Fact[]> {
    if (checkoutId === null) return [];
    const answer = await orMissing(() => caller.get('/v1/checkouts', { checkout_id: checkoutId }));
    if (!answer) return [];
    const facts = readCreemCheckout(answer, null);
    const bound = facts.find((fact) => fact.kind === 'checkout')?.subscriptionId ?? null;
    const more = bound === null ? [] : await fetchSubscription(bound);
    return [
      ...facts,
      ...more.map((fact) => (fact.kind === 'unknown' ? fact : { ...fact, orderId: fact.orderId ?? orderId })),
    ];
  }

  async function readPage(path: string, page: number, query: Record<string, string> = {}) {
    const answer = await caller.get(path, { ...query, page_number: page, page_size: PAGE_SIZE });
    const next = answer.object('pagination').whole('next_page');
    return { items: answer.list('items'), nextPage: next !== null && next > page ? next : null };
  }

  async function listFacts(path: string, page: number, read: (item: Fields) => Fact[]): Promise<FactPage> {
    const { items, nextPage } = await readPage(path, page);
    return { facts: items.flatMap(read), nextPage };
  }

  async function resolve(facts: readonly Fact[]): Promise<Fact[]> {
    const ids = new Set(facts.flatMap((fact) => (fact.kind === 'subscription' ? [fact.subscriptionId] : [])));
    const snapshots = await Promise.all([...ids].map(fetchSnapshot));
    const completed = await Promise.all(facts.map((fact) => complete(fact)));
    return [...completed.flat(), ...snapshots.filter((snapshot) => snapshot !== null)];
  }

  async function complete(fact: Fact): Promise<Fact[]> {
    if (fact.kind === 'payment' && fact.amountMinor === null) {
      const told = await fetchTransaction(fact.transactionId);
      const payment = told.find((each): each is PaymentFact => each.kind === 'payment');
      return [completePayment(fact, payment ?? null), ...told.filter((each) => each.kind !== 'payment')];
    }
    const isOpen = fact.kind === 'refund' && (fact.status === 'pending' || fact.refundedMinor === null);
    if (!isOpen) return [fact];
    const told = await fetchTransaction(fact.transactionId);
    return [fact, ...told.filter((each) => each.kind === 'refund' || each.kind === 'dispute')];
  }

  return {
    resolve,
    fetchOrder,
    fetchSubscription,
    fetchTransaction,
    listSubscriptions: (page) =>
      listFacts('/v1/subscriptions/search', page, (item) => {
        const snapshot = readCreemSubscription(item, null);
        return snapshot ? [snapshot] : [];
      }),
    listTransactions: (page) =>
      listFacts('/v1/transactions/search', page, (item) =>
        readCreemTransaction(item, { productId: null, orderId: null }),
      ),
  };
}
