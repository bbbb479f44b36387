import type { Fact, Mode } from '../providers/facts.ts';

export type LeadKind = 'order' | 'checkout' | 'subscription' | 'transaction';

/** An id in a fact that may lead to a user, as `kind:id`. */
export type Lead = `${LeadKind}:${string}`;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Every id by which a fact may be found to be somebody's. */
export function leadsOf(fact: Fact): Lead[] {
  if (fact.kind === 'unknown') return [];
  const leads: (Lead | null)[] = [
    fact.orderId !== null && UUID.test(fact.orderId) ? `order:${fact.orderId}` : null,
    lead('checkout', 'checkoutId' in fact ? fact.checkoutId : null),
    lead('subscription', fact.subscriptionId),
    lead('transaction', 'transactionId' in fact ? fact.transactionId : null),
  ];
  return leads.filter((each) => each !== null);
}

function lead(kind: LeadKind, id: string | null): Lead | null {
  return id === null ? null : `${kind}:${id}`;
}

/** May the ids of a fact lead on to others: not when it was matched by guess, and not in the other world. */
export function isLeading(fact: Fact, mode: Mode): boolean {
  if (fact.kind === 'unknown' || (fact.mode !== null && fact.mode !== mode)) return false;
  return fact.kind !== 'payment' || fact.match !== 'inferred';
}
