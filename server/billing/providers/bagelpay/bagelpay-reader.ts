import { MINUTE_MS } from '#contract/time.ts';
import type { Fact, PaymentFact, SubscriptionFact } from '../facts.ts';
import type { Fields } from '../fields.ts';
import type { FactPage, OrderQuery, PaymentProvider, SubscriptionContext } from '../provider.ts';
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

const SLACK_MS = 2 * MINUTE_MS;
/** The times of a charge and of the period that it begins differ by at most this much. */
const BEGIN_MS = 10 * MINUTE_MS;
/** Of one customer; who has more is left to the operator. */
const MAX_SIBLINGS = 10;

type Questions =
  | 'fetchOrder'
  | 'fetchSubscription'
  | 'bindCharge'
  | 'fetchTransaction'
  | 'listSubscriptions'
  | 'listTransactions';

/** The subscription that this row may be the first charge of, as far as it has the order's price. */
function begunBy(
  row: Fact[],
  fitting: readonly ListedSubscription[],
  { priceMinor, currency }: OrderQuery,
): SubscriptionFact | null {
  const payment = row.find(isPayment);
  const isPriced =
    payment?.currency === currency && [payment.amountMinor, payment.netMinor].includes(priceMinor);
  return payment && isPriced ? matchBegun(payment, fitting) : null;
}

function guess(row: Fact[], snapshot: SubscriptionFact, { orderId }: OrderQuery): Fact[] {
  return row.map((fact) =>
    isPayment(fact) ? { ...bindPayment(fact, snapshot), orderId, match: 'inferred' as const } : fact,
  );
}

/** The facts of a charge that fits this subscription and no other. */
function inferredOf(row: Fact[], snapshot: SubscriptionFact, all: readonly ListedSubscription[]): Fact[] {
  const payment = row.find(isPayment);
  if (!payment || matchCharge(payment, all)?.subscriptionId !== snapshot.subscriptionId) return [];
  return row.map((fact) =>
    isPayment(fact) ? { ...bindPayment(fact, snapshot), match: 'inferred' as const } : fact,
  );
}

/** As `matchPaid`; of several the one whose period began when the charge was paid. */
function matchCharge(payment: PaymentFact, listed: readonly ListedSubscription[]): SubscriptionFact | null {
  const paidAt = payment.paidAt?.getTime() ?? Number.NaN;
  const begun = listed.filter(
    ({ snapshot: { periodStart } }) => periodStart && Math.abs(periodStart.getTime() - paidAt) <= BEGIN_MS,
  );
  return matchPaid(payment, listed) ?? matchPaid(payment, begun);
}

function earlier(time: Date | null, ms: number): Date | null {
  return time && new Date(time.getTime() - ms);
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
  async function fetchSubscription(
    subscriptionId: string,
    { since = null, siblings = [] }: SubscriptionContext = {},
  ): Promise<Fact[]> {
    const listed = await fetchListed(caller, subscriptionId);
    if (!listed) return [];
    const { snapshot } = listed;
    const others = await fetchAll(siblings.filter((id) => id !== subscriptionId));
    const rows = await gather(caller, TRANSACTIONS, {
      read: (item) => [readBagelpayTransaction(item)],
      since: since ?? earlier(snapshot.periodStart, SLACK_MS),
    });
    return [snapshot, ...rows.flatMap((row) => inferredOf(row, snapshot, [listed, ...others]))];
  }

  async function fetchAll(ids: readonly string[]): Promise<ListedSubscription[]> {
    const found = await Promise.all(ids.slice(0, MAX_SIBLINGS).map((id) => fetchListed(caller, id)));
    return found.filter((each) => each !== null);
  }

  async function bindCharge(charge: PaymentFact, subscriptionIds: readonly string[]): Promise<Fact[]> {
    const listed = await fetchAll(subscriptionIds);
    const found = matchCharge(charge, listed);
    return found ? [found, ...inferredOf([charge], found, listed)] : [];
  }

  /**
   * By e-mail, product and time: there is no way to ask by our order's id. Every charge of its price that may have begun one of the
   * subscriptions that fit is returned, as a guess.
   */
  async function fetchOrder(order: OrderQuery): Promise<Fact[]> {
    const since = earlier(order.createdAt, SLACK_MS);
    const fitting = await gather(caller, SUBSCRIPTIONS, {
      read: (item) => readListed(item).filter((each) => isOfOrder(each, order)),
      since,
    });
    if (fitting.length === 0) return [];
    const rows = await gather(caller, TRANSACTIONS, {
      read: (item) => [readBagelpayTransaction(item)],
      since,
    });
    return [
      ...fitting.map(({ snapshot }) => snapshot),
      ...rows.flatMap((row) => {
        const begun = begunBy(row, fitting, order);
        return begun ? guess(row, begun, order) : [];
      }),
    ];
  }

  async function listFacts(path: string, page: number, read: (item: Fields) => Fact[]): Promise<FactPage> {
    const { items, ...position } = await caller.list(path, page);
    return { facts: items.flatMap(read), ...position };
  }

  return {
    fetchOrder,
    fetchSubscription,
    bindCharge,
    fetchTransaction: (transactionId) => findTransaction(caller, transactionId),
    listSubscriptions: (page) =>
      listFacts(SUBSCRIPTIONS, page, (item) => readListed(item).map(({ snapshot }) => snapshot)),
    listTransactions: (page) => listFacts(TRANSACTIONS, page, readBagelpayTransaction),
  };
}
