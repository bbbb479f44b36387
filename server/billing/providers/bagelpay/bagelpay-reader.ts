import type { Fact, SubscriptionFact } from '../facts.ts';
import type { Fields } from '../fields.ts';
import type { FactPage, OrderQuery, PaymentProvider } from '../provider.ts';
import type { BagelpayCaller } from './call-bagelpay.ts';
import { bindPayment, type ListedSubscription, matchBegun, matchPaid, readListed } from './match-payment.ts';
import { readBagelpayTransaction } from './read-transaction.ts';
import {
  fetchListed,
  findTransaction,
  gather,
  isPayment,
  SUBSCRIPTIONS,
  TRANSACTIONS,
} from './search-lists.ts';

const SLACK_MS = 2 * 60_000;

type Questions =
  | 'fetchOrder'
  | 'fetchSubscription'
  | 'fetchTransaction'
  | 'listSubscriptions'
  | 'listTransactions';

/** May this row be the charge that began the order's subscription. */
function mayBegin(row: Fact[], found: ListedSubscription, { priceMinor, currency }: OrderQuery): boolean {
  const payment = row.find(isPayment);
  if (!payment || matchBegun(payment, [found]) === null) return false;
  return payment.currency === currency && [payment.amountMinor, payment.netMinor].includes(priceMinor);
}

function guess(row: Fact[], snapshot: SubscriptionFact, { orderId }: OrderQuery): Fact[] {
  return row.map((fact) =>
    isPayment(fact) ? { ...bindPayment(fact, snapshot), orderId, match: 'inferred' as const } : fact,
  );
}

/** The facts of a charge that fits this subscription and no other. */
function inferredOf(row: Fact[], snapshot: SubscriptionFact, all: ListedSubscription[]): Fact[] {
  const payment = row.find(isPayment);
  if (!payment || matchPaid(payment, all)?.subscriptionId !== snapshot.subscriptionId) return [];
  return row.map((fact) =>
    isPayment(fact) ? { ...bindPayment(fact, snapshot), match: 'inferred' as const } : fact,
  );
}

function isOfOrder({ snapshot, beganAt }: ListedSubscription, order: OrderQuery): boolean {
  const since = order.createdAt.getTime() - SLACK_MS;
  return (
    order.userEmail !== null &&
    snapshot.customerEmail?.toLowerCase() === order.userEmail.toLowerCase() &&
    snapshot.productId === order.productId &&
    (beganAt?.getTime() ?? 0) >= since
  );
}

/** The questions that BagelPay answers. It has no filters, so single things are looked for in its lists. */
export function createBagelpayReader(caller: BagelpayCaller): Pick<PaymentProvider, Questions> {
  async function fetchSubscription(subscriptionId: string): Promise<Fact[]> {
    const listed = await fetchListed(caller, subscriptionId);
    if (!listed) return [];
    const { snapshot } = listed;
    const rows = await gather(caller, TRANSACTIONS, (item) => [readBagelpayTransaction(item)]);
    const others = await gather(caller, SUBSCRIPTIONS, readListed);
    return [snapshot, ...rows.flatMap((row) => inferredOf(row, snapshot, [listed, ...others]))];
  }

  /**
   * By e-mail, product and time, and only when exactly one subscription fits: there is no way to ask by our order's id. Every
   * charge of its price that may have begun it is told.
   */
  async function fetchOrder(order: OrderQuery): Promise<Fact[]> {
    const fitting = await gather(caller, SUBSCRIPTIONS, (item) =>
      readListed(item).filter((each) => isOfOrder(each, order)),
    );
    const [found] = fitting;
    if (fitting.length !== 1 || !found) return [];
    const rows = await gather(caller, TRANSACTIONS, (item) => [readBagelpayTransaction(item)]);
    return [
      found.snapshot,
      ...rows
        .filter((row) => mayBegin(row, found, order))
        .flatMap((row) => guess(row, found.snapshot, order)),
    ];
  }

  async function listFacts(path: string, page: number, read: (item: Fields) => Fact[]): Promise<FactPage> {
    const { items, nextPage } = await caller.list(path, page);
    return { facts: items.flatMap(read), nextPage };
  }

  return {
    fetchOrder,
    fetchSubscription,
    fetchTransaction: (transactionId) => findTransaction(caller, transactionId),
    listSubscriptions: (page) =>
      listFacts(SUBSCRIPTIONS, page, (item) => readListed(item).map(({ snapshot }) => snapshot)),
    listTransactions: (page) => listFacts(TRANSACTIONS, page, readBagelpayTransaction),
  };
}
