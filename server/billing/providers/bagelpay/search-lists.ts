import type { Fact, PaymentFact } from '../facts.ts';
import type { Fields } from '../fields.ts';
import { newestFirst } from '../newest-first.ts';
import { orMissing } from '../provider-error.ts';
import type { BagelpayCaller } from './call-bagelpay.ts';
import { type ListedSubscription, readListed } from './match-payment.ts';
import { readBagelpayTransaction } from './read-transaction.ts';

/** How far back a single question looks; what is older is left to the reviews of whole lists. */
const MAX_PAGES = 10;

export const SUBSCRIPTIONS = '/api/subscriptions/list';
export const TRANSACTIONS = '/api/transactions/list';

export const isPayment = (fact: Fact): fact is PaymentFact => fact.kind === 'payment';

/** Which rows of a list are looked for. */
interface Search<T> {
  read(item: Fields): T[];
  /** Rows made before are not looked at; null: however old. */
  since?: Date | null;
  isEnough?(all: T[]): boolean;
}

/**
 * Walks a list from its newest row to its tenth page, to rows made before `since`, or until `isEnough` says so. BagelPay has no
 * filters, and does not say at which end of a list its new rows are: the times on the first page do.
 */
export async function gather<T>(
  caller: BagelpayCaller,
  path: string,
  { read, since = null, isEnough = () => false }: Search<T>,
): Promise<T[]> {
  const all: T[] = [];
  let pages = 0;
  for await (const { items } of newestFirst(
    (page) => caller.list(path, page),
    ({ items }) => items.map(madeAt),
  )) {
    const fresh = since === null ? items : items.filter((item) => !(madeAt(item) < since.getTime()));
    all.push(...fresh.flatMap(read));
    pages += 1;
    if (isEnough(all) || pages >= MAX_PAGES || (items.length > 0 && fresh.length === 0)) break;
  }
  return all;
}

const madeAt = (item: Fields): number => item.time('created_at')?.getTime() ?? Number.NaN;

/** A subscription as it is now; null: unknown there. */
export async function fetchListed(
  caller: BagelpayCaller,
  subscriptionId: string,
): Promise<ListedSubscription | null> {
  const path = `/api/subscriptions/${encodeURIComponent(subscriptionId)}`;
  const answer = await orMissing(() => caller.get(path));
  return (answer && readListed(answer)[0]) ?? null;
}

/** The facts of one row of the transaction list. */
export async function findTransaction(caller: BagelpayCaller, transactionId: string): Promise<Fact[]> {
  const isIt = (fact: Fact) => 'transactionId' in fact && fact.transactionId === transactionId;
  const facts = await gather(caller, TRANSACTIONS, {
    read: readBagelpayTransaction,
    isEnough: (all) => all.some(isIt),
  });
  return facts.filter(isIt);
}
