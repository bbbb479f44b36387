import { isDeepStrictEqual } from 'node:util';
import { EMPTY_BOOK, type FactBook } from '#server/billing/fact-book.ts';
import { mergeFacts } from '#server/billing/merge-facts.ts';
import { type BillingProjection, projectBilling } from '#server/billing/project-billing.ts';
import type { Fact } from '#server/billing/providers/facts.ts';
import { GRACE_MS } from '#server/billing/rules.ts';
import { dayOf, linesOf } from './bucket-lines.ts';
import type { ToldLife } from './collect.ts';
import { type Ledger, settle } from './ledger.ts';
import type { End } from './lives.ts';

/** Something that is told once or again: a webhook as it was read, or the provider's own answers. */
export interface Telling {
  label: string;
  facts: readonly Fact[];
}

/** What one life came to, told in one way. */
export interface Reached {
  /** The tellings in their order, the shortest that leads here. */
  path: string[];
  told: Set<string>;
  end: End;
}

interface Stop {
  ledger: Ledger;
  path: string[];
}

/**
 * Every state that a life's tellings lead to, in every order and with any of them left out or told again: the states of all
 * orders at once, since what is merged does not depend on the order (which is checked) and the ledger is walked on every way.
 */
export function explore(
  { life, orders, names }: ToldLife,
  tellings: readonly Telling[],
  provider: 'creem' | 'bagelpay',
) {
  const moment = { now: Date.parse(life.judgedAt), graceMs: GRACE_MS };
  const merge = (book: FactBook, { facts }: Telling) => mergeFacts(book, { provider, mode: 'test', facts });
  const project = (book: FactBook) => projectBilling(book, orders, moment);
  const size = 2 ** tellings.length;
  const books: FactBook[] = [EMPTY_BOOK];
  const stops: Map<string, Stop>[] = Array.from({ length: size }, () => new Map());
  stops[0]?.set('', { ledger: new Map(), path: [] });
  const reached: Reached[] = [];
  const unequal: string[][] = [];
  let ways = 0;
  for (let mask = 0; mask < size; mask += 1) {
    const book = books[mask] as FactBook;
    const projection = project(book);
    const told = new Set(tellings.filter((_, bit) => mask & (1 << bit)).map(({ label }) => label));
    const settled = new Map<string, Stop>();
    for (const { ledger, path } of (stops[mask] as Map<string, Stop>).values()) {
      const after = settle(ledger, projection);
      const key = keyOf(after);
      if (!settled.has(key)) settled.set(key, { ledger: after, path });
    }
    for (const { ledger, path } of settled.values()) {
      reached.push({ path, told, end: endOf(projection, ledger, names) });
      for (const [bit, telling] of tellings.entries()) {
        ways += 1;
        const next = mask | (1 << bit);
        const merged = books[next] === undefined || next === mask ? merge(book, telling) : null;
        if (next === mask) {
          if (!isDeepStrictEqual(merged, book)) unequal.push([...path, telling.label]);
          continue;
        }
        if (merged) books[next] = merged;
        else if (!isDeepStrictEqual(merge(book, telling), books[next]))
          unequal.push([...path, telling.label]);
        const onward = stops[next] as Map<string, Stop>;
        const key = keyOf(ledger);
        if (!onward.has(key)) onward.set(key, { ledger, path: [...path, telling.label] });
      }
    }
  }
  return { reached, unequal, ways };
}

function keyOf(ledger: Ledger): string {
  return JSON.stringify([...ledger.values()].sort((a, b) => (a.sourceKey < b.sourceKey ? -1 : 1)));
}

/** Where a projection and the ledger stand, in the words of a life's end. */
export function endOf(
  projection: BillingProjection,
  ledger: Ledger,
  names: ReadonlyMap<string, string>,
): End {
  const { subscription, subscriptions, orders } = projection;
  const nameOf = (orderId: string) => names.get(orderId) ?? orderId;
  const paidUntil = subscriptions[0]?.paidUntil ?? null;
  return {
    plan: subscription
      ? `${subscription.planKey} ${subscription.state} ${paidUntil === null ? '-' : dayOf(paidUntil)}`
      : 'none',
    orders: Object.fromEntries(orders.map(({ orderId, status }) => [nameOf(orderId), status])),
    credits: linesOf([...ledger.values()].map((each) => ({ ...each, order: nameOf(each.orderId) }))),
  };
}
