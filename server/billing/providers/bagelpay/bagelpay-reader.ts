import type { Fact, PaymentFact, SubscriptionFact } from '../facts.ts';
import type { Fields } from '../fields.ts';
import type { FactPage, OrderQuery, PaymentProvider } from '../provider.ts';
import { orMissing } from '../provider-error.ts';
import type { BagelpayCaller } from './call-bagelpay.ts';
import { bindPayment, matchSubscription } from './match-payment.ts';
import { readBagelpaySubscription } from './read-subscription.ts';
import { readBagelpayTransaction } from './read-transaction.ts';

/** How far back a single question looks; what is older is left to the daily sweep. */
const MOST_PAGES = 10;
const SLACK_MS = 2 * 60_000;
const SUBSCRIPTIONS = '/api/subscriptions/list';
const TRANSACTIONS = '/api/transactions/list';

type Reader = Pick<
  PaymentProvider,
  | 'resolve'
  | 'fetchOrder'
  | 'fetchSubscription'
  | 'fetchTransaction'
  | 'listSubscriptions'
  | 'listTransactions'
>;

function readSnapshot(item: Fields): SubscriptionFact[] {
  const snapshot = readBagelpaySubscription(item, { owner: item, told: null, at: null });
  return snapshot ? [snapshot] : [];
}

const isPayment = (fact: Fact): fact is PaymentFact => fact.kind === 'payment';
const emailOf = (text: string | null) => text?.toLowerCase() ?? null;

/** The questions that BagelPay answers. It has no filters, so single things are looked for in its lists. */
export function createBagelpayReader(caller: BagelpayCaller): Reader {
  /** Walks a list until `isEnough` says so. */
  async function gather<T>(path: string, read: (item: Fields) => T[], isEnough: (all: T[]) => boolean) {
    const all: T[] = [];
    let next: number | null = 1;
    while (next !== null && next <= MOST_PAGES) {
      const page = await caller.list(path, next);
      all.push(...page.items.flatMap(read));
      if (isEnough(all)) break;
      next = page.nextPage;
    }
    return all;
  }

  const allOf = <T>(path: string, read: (item: Fields) => T[]) => gather(path, read, () => false);

  async function fetchSnapshot(subscriptionId: string): Promise<SubscriptionFact | null> {
    const path = `/api/subscriptions/${encodeURIComponent(subscriptionId)}`;
    const answer = await orMissing(() => caller.get(path));
    return (answer && readSnapshot(answer)[0]) ?? null;
  }

  async function fetchTransaction(transactionId: string): Promise<Fact[]> {
    const isIt = (fact: Fact) => 'transactionId' in fact && fact.transactionId === transactionId;
    const facts = await gather(TRANSACTIONS, readBagelpayTransaction, (all) => all.some(isIt));
    return facts.filter(isIt);
  }

  async function fetchSubscription(subscriptionId: string): Promise<Fact[]> {
    const snapshot = await fetchSnapshot(subscriptionId);
    if (!snapshot) return [];
    const rows = await allOf(TRANSACTIONS, (item) => [readBagelpayTransaction(item)]);
    const others = await allOf(SUBSCRIPTIONS, readSnapshot);
    return [snapshot, ...rows.flatMap((row) => inferredOf(row, snapshot, others))];
  }

  /** The facts of a charge that fits this subscription and no other. */
  function inferredOf(row: Fact[], snapshot: SubscriptionFact, all: SubscriptionFact[]): Fact[] {
    const payment = row.find(isPayment);
    if (!payment || matchSubscription(payment, all)?.subscriptionId !== snapshot.subscriptionId) return [];
    return row.map((fact) =>
      isPayment(fact) ? { ...bindPayment(fact, snapshot), match: 'inferred' as const } : fact,
    );
  }

  /** By e-mail, product and time, and only when exactly one subscription fits: there is no way to ask by our order's id. */
  async function fetchOrder({ orderId, productId, userEmail, createdAt }: OrderQuery): Promise<Fact[]> {
    const created = await allOf(SUBSCRIPTIONS, (item) =>
      readSnapshot(item).map((snapshot) => ({ snapshot, at: item.time('created_at') })),
    );
    const fitting = created.filter(
      ({ snapshot, at }) =>
        userEmail !== null &&
        emailOf(snapshot.customerEmail) === emailOf(userEmail) &&
        snapshot.productId === productId &&
        at !== null &&
        at.getTime() >= createdAt.getTime() - SLACK_MS,
    );
    const found = fitting[0];
    if (fitting.length !== 1 || !found) return [];
    const facts = await fetchSubscription(found.snapshot.subscriptionId);
    return facts.map((fact) => (isPayment(fact) ? { ...fact, orderId } : fact));
  }

  async function resolve(facts: readonly Fact[]): Promise<Fact[]> {
    const told = facts.filter((fact) => fact.kind === 'subscription').map((fact) => fact.subscriptionId);
    const fresh = (await Promise.all([...new Set(told)].map(fetchSnapshot))).filter((each) => each !== null);
    const isOpen = facts.some((fact) => isPayment(fact) && !fact.periodEnd);
    const known = isOpen && fresh.length === 0 ? await allOf(SUBSCRIPTIONS, readSnapshot) : fresh;
    const used = new Map(fresh.map((snapshot) => [snapshot.subscriptionId, snapshot]));
    const completed = await Promise.all(facts.map((fact) => complete(fact, known, used)));
    return [...completed.flat(), ...used.values()];
  }

  async function complete(
    fact: Fact,
    known: SubscriptionFact[],
    used: Map<string, SubscriptionFact>,
  ): Promise<Fact[]> {
    if (isPayment(fact) && !fact.periodEnd) {
      const subscription = matchSubscription(fact, known);
      if (subscription) used.set(subscription.subscriptionId, subscription);
      return [bindPayment(fact, subscription)];
    }
    if (fact.kind !== 'refund' || (fact.status !== 'pending' && fact.refundedMinor !== null)) return [fact];
    const told = await fetchTransaction(fact.transactionId);
    return [fact, ...told.filter((each) => each.kind === 'refund')];
  }

  async function listFacts(path: string, page: number, read: (item: Fields) => Fact[]): Promise<FactPage> {
    const { items, nextPage } = await caller.list(path, page);
    return { facts: items.flatMap(read), nextPage };
  }

  return {
    resolve,
    fetchOrder,
    fetchSubscription,
    fetchTransaction,
    listSubscriptions: (page) => listFacts(SUBSCRIPTIONS, page, readSnapshot),
    listTransactions: (page) => listFacts(TRANSACTIONS, page, readBagelpayTransaction),
  };
}
