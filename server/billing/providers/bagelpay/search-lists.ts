import type { Fact, PaymentFact } from '../facts.ts';
import type { Fields } from '../fields.ts';
import { orMissing } from '../provider-error.ts';
import type { BagelpayCaller } from './call-bagelpay.ts';
import { type ListedSubscription, readListed } from './match-payment.ts';
import { readBagelpayTransaction } from './read-transaction.ts';

/** How far back a single question looks; what is older is left to the daily sweep. */
const MOST_PAGES = 10;

export const SUBSCRIPTIONS = '/api/subscriptions/list';
export const TRANSACTIONS = '/api/transactions/list';

export const isPayment = (fact: Fact): fact is PaymentFact => fact.kind === 'payment';

/** Walks a list until its end, its tenth page, or until `isEnough` says so. BagelPay has no filters. */
export async function gather<T>(
  caller: BagelpayCaller,
  path: string,
  read: (item: Fields) => T[],
  isEnough: (all: T[]) => boolean = () => false,
): Promise<T[]> {
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
  const facts = await gather(caller, TRANSACTIONS, readBagelpayTransaction, (all) => all.some(isIt));
  return facts.filter(isIt);
}
