import type { Provider } from '#contract/billing.ts';
import type { Deps } from '#server/deps.ts';
import type { Executor } from '#server/platform/database.ts';
import { fitsOrder, fitsRenewal } from './claim-rules.ts';
import {
  lockClaims,
  selectClaimed,
  selectOrdersOfSubscription,
  selectPaidStarts,
  selectUnpaidOrders,
} from './claim-store.ts';
import type { Fact, PaymentFact } from './providers/facts.ts';

const isGuess = (fact: Fact): fact is PaymentFact => fact.kind === 'payment' && fact.match === 'inferred';

/**
 * The facts of one answer, with those charges told to an order that fit it to the letter, and it only, as it fits them only
 * (decision 10); every other guess stays one, for the operator.
 */
export async function claimPayments(
  { database }: Pick<Deps, 'database'>,
  provider: Provider,
  facts: readonly Fact[],
): Promise<Fact[]> {
  const guesses = facts.filter(isGuess);
  if (guesses.length === 0) return [...facts];
  return database.sql.begin(async (tx) => {
    await lockClaims(tx, provider);
    const claimed = await selectClaimed(
      tx,
      provider,
      guesses.map(({ transactionId }) => transactionId),
    );
    const open = guesses.filter(({ transactionId }) => !claimed.has(transactionId));
    const owners = new Map<PaymentFact, string>();
    for (const guess of open) {
      const orderId = await ownerOf(tx, provider, guess);
      if (orderId !== null) owners.set(guess, orderId);
    }
    return facts.flatMap((fact): Fact[] => {
      if (!isGuess(fact)) return [fact];
      if (claimed.has(fact.transactionId)) return [];
      const orderId = owners.get(fact);
      return [
        orderId !== undefined && isOnly(fact, orderId, owners) ? { ...fact, orderId, match: 'told' } : fact,
      ];
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
  for (const order of bound) {
    const starts = await selectPaidStarts(tx, order.orderId);
    if (fitsRenewal(guess, order, starts)) fitting.push(order.orderId);
  }
  const [orderId, ...others] = new Set(fitting);
  const isOther = bound.length > 0 && bound.some((order) => order.orderId !== orderId);
  return orderId !== undefined && others.length === 0 && !isOther ? orderId : null;
}

/** Two charges that fit one order are both left to the operator, unless they pay different periods of it. */
function isOnly(fact: PaymentFact, orderId: string, owners: ReadonlyMap<PaymentFact, string>): boolean {
  return [...owners].every(
    ([other, owner]) =>
      owner !== orderId || other.transactionId === fact.transactionId || isOtherPeriod(other, fact),
  );
}

function isOtherPeriod({ periodStart: left }: PaymentFact, { periodStart: right }: PaymentFact): boolean {
  return left !== null && right !== null && left.getTime() !== right.getTime();
}
