import type { Provider } from '#contract/choices.ts';
import type { Deps } from '#server/deps.ts';
import type { Executor } from '#server/platform/database/database.ts';
import type { Fact, PaymentFact } from '../providers/facts.ts';
import { fitsOrder, fitsRenewal } from './match-rules.ts';
import {
  lockMatching,
  selectMatched,
  selectOrdersOfSubscription,
  selectUnpaidOrders,
} from './match-store.ts';
import { modeOf } from './merge-facts.ts';

const isGuess = (fact: Fact): fact is PaymentFact => fact.kind === 'payment' && fact.match === 'inferred';

/**
 * The facts of one answer, in which each charge that fits exactly one order to the letter is matched with it (decision 38);
 * every other guess stays one, for the operator. Several charges may fit one order: a period that is paid twice is granted once.
 */
export async function matchPayments(
  { database, providers }: Pick<Deps, 'database' | 'providers'>,
  provider: Provider,
  facts: readonly Fact[],
): Promise<Fact[]> {
  const mode = modeOf(providers, provider);
  const guesses = facts.filter(isGuess).filter((guess) => guess.mode === null || guess.mode === mode);
  if (guesses.length === 0) return [...facts];
  return database.sql.begin(async (tx) => {
    await lockMatching(tx, provider);
    const matched = await selectMatched(
      tx,
      provider,
      guesses.map(({ transactionId }) => transactionId),
    );
    const open = guesses.filter(({ transactionId }) => !matched.has(transactionId));
    const owners = new Map<PaymentFact, string>();
    for (const guess of open) {
      const orderId = await ownerOf(tx, provider, guess);
      if (orderId !== null) owners.set(guess, orderId);
    }
    return facts.flatMap((fact): Fact[] => {
      if (!isGuess(fact) || !guesses.includes(fact)) return [fact];
      if (matched.has(fact.transactionId)) return [];
      const orderId = owners.get(fact);
      return [orderId === undefined ? fact : { ...fact, orderId, match: 'claimed' }];
    });
  });
}

/** The one order that the charge can pay, first or again; null when none or several fit. */
async function ownerOf(tx: Executor, provider: Provider, guess: PaymentFact): Promise<string | null> {
  const unpaid = await selectUnpaidOrders(tx, provider, guess.customerEmail ?? '');
  const fitting = unpaid.filter((order) => fitsOrder(guess, order)).map(({ orderId }) => orderId);
  const bound = guess.subscriptionId
    ? await selectOrdersOfSubscription(tx, provider, guess.subscriptionId)
    : [];
  for (const order of bound) if (fitsRenewal(guess, order)) fitting.push(order.orderId);
  const [orderId, ...others] = new Set(fitting);
  const isOther = bound.length > 0 && bound.some((order) => order.orderId !== orderId);
  return orderId !== undefined && others.length === 0 && !isOther ? orderId : null;
}
