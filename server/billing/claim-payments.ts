import type { Provider } from '#contract/billing.ts';
import type { Deps } from '#server/deps.ts';
import type { Executor } from '#server/platform/database.ts';
import { fitsOrder, fitsRenewal } from './claim-rules.ts';
import {
  lockClaims,
  selectClaimed,
  selectOrdersOfSubscription,
  selectUnlinked,
  selectUnpaidOrders,
} from './claim-store.ts';
import { modeOf } from './merge-facts.ts';
import type { Fact, PaymentFact } from './providers/facts.ts';

const isGuess = (fact: Fact): fact is PaymentFact => fact.kind === 'payment' && fact.match === 'inferred';

/**
 * The facts of one answer, with those charges claimed for an order that fit it to the letter, and no other order (decision 38);
 * every other guess stays one, for the operator. Several charges may fit one order: a period that is paid twice is granted once.
 * A charge whose order was told learns its subscription in the same way.
 */
export async function claimPayments(
  { database, providers }: Pick<Deps, 'database' | 'providers'>,
  provider: Provider,
  facts: readonly Fact[],
): Promise<Fact[]> {
  const mode = modeOf(providers, provider);
  const guesses = facts.filter(isGuess).filter((guess) => guess.mode === null || guess.mode === mode);
  if (guesses.length === 0) return [...facts];
  return database.sql.begin(async (tx) => {
    await lockClaims(tx, provider);
    const ids = guesses.map(({ transactionId }) => transactionId);
    const claimed = await selectClaimed(tx, provider, ids);
    const unlinked = await selectUnlinked(tx, provider, ids);
    const open = guesses.filter(({ transactionId: id }) => !claimed.has(id) || unlinked.has(id));
    const owners = new Map<PaymentFact, string>();
    for (const guess of open) {
      const told = unlinked.get(guess.transactionId);
      const orderId = told
        ? await subscriberOf(tx, provider, guess, told)
        : await ownerOf(tx, provider, guess);
      if (orderId !== null) owners.set(guess, orderId);
    }
    return facts.flatMap((fact): Fact[] => {
      if (!isGuess(fact) || !guesses.includes(fact)) return [fact];
      const orderId = owners.get(fact);
      if (orderId === undefined && claimed.has(fact.transactionId)) return [];
      return [orderId === undefined ? fact : { ...fact, orderId, match: 'claimed' }];
    });
  });
}

/** The order that the charge was told to be for, where its subscription is nobody's yet; null otherwise. */
async function subscriberOf(
  tx: Executor,
  provider: Provider,
  guess: PaymentFact,
  told: string,
): Promise<string | null> {
  if (guess.subscriptionId === null || (guess.orderId !== null && guess.orderId !== told)) return null;
  const bound = await selectOrdersOfSubscription(tx, provider, guess.subscriptionId);
  return bound.every(({ orderId }) => orderId === told) ? told : null;
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
