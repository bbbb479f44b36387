import type { Fact, SubscriptionFact } from '../facts.ts';
import type { BagelpayCaller } from './call-bagelpay.ts';
import { bindPayment, type ListedSubscription, matchBegun, readListed } from './match-payment.ts';
import { fetchListed, findTransaction, gather, isPayment, SUBSCRIPTIONS } from './search-lists.ts';

/** Completes facts by asking BagelPay; see `PaymentProvider.resolve`. A payment gets the one subscription it began. */
export async function resolveBagelpay(caller: BagelpayCaller, facts: readonly Fact[]): Promise<Fact[]> {
  const ids = facts.flatMap((fact) => (fact.kind === 'subscription' ? [fact.subscriptionId] : []));
  const asked = await Promise.all([...new Set(ids)].map((id) => fetchListed(caller, id)));
  const fresh = asked.filter((each) => each !== null);
  const isOpen = facts.some((fact) => isPayment(fact) && !fact.periodEnd);
  const known =
    isOpen && fresh.length === 0 ? await gather(caller, SUBSCRIPTIONS, { read: readListed }) : fresh;
  const used = new Map(fresh.map(({ snapshot }) => [snapshot.subscriptionId, snapshot]));
  const completed = await Promise.all(facts.map((fact) => complete(caller, fact, known, used)));
  return [...completed.flat(), ...used.values()];
}

async function complete(
  caller: BagelpayCaller,
  fact: Fact,
  known: readonly ListedSubscription[],
  used: Map<string, SubscriptionFact>,
): Promise<Fact[]> {
  if (isPayment(fact) && !fact.periodEnd) {
    const subscription = matchBegun(fact, known);
    if (subscription) used.set(subscription.subscriptionId, subscription);
    return [bindPayment(fact, subscription)];
  }
  if (fact.kind !== 'refund' || (fact.status !== 'pending' && fact.refundedMinor !== null)) return [fact];
  const found = await findTransaction(caller, fact.transactionId);
  return [fact, ...found.filter((each) => each.kind === 'refund')];
}
