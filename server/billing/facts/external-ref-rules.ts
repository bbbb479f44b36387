import type { Fact, Mode } from '../providers/facts.ts';

export type ExternalRefKind = 'order' | 'checkout' | 'subscription' | 'transaction';

/** An id in a fact that may lead to a user, as `kind:id`. */
export type ExternalRef = `${ExternalRefKind}:${string}`;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Of several ids that sources name for one thing of ours, those that can be ours. Where none can be, it is another user's, and all
 * of them are its names: a provider that once named garbage beside the truth does not contradict itself.
 */
export function ownIds(ids: readonly string[]): readonly string[] {
  const ours = ids.filter((id) => UUID.test(id));
  return ours.length > 0 ? ours : ids;
}

/** Every id in a fact that may lead to a user. */
export function externalRefsOf(fact: Fact): ExternalRef[] {
  if (fact.kind === 'unknown') return [];
  const refs: (ExternalRef | null)[] = [
    fact.orderId !== null && UUID.test(fact.orderId) ? `order:${fact.orderId}` : null,
    refOf('checkout', 'checkoutId' in fact ? fact.checkoutId : null),
    refOf('subscription', fact.subscriptionId),
    refOf('transaction', 'transactionId' in fact ? fact.transactionId : null),
  ];
  return refs.filter((each) => each !== null);
}

function refOf(kind: ExternalRefKind, id: string | null): ExternalRef | null {
  return id === null ? null : `${kind}:${id}`;
}

/** True when all ids of a fact are those of its user: not when the match is a guess, and not in the other mode. */
export function bindsRefs(fact: Fact, mode: Mode): boolean {
  if (fact.kind === 'unknown' || (fact.mode !== null && fact.mode !== mode)) return false;
  return fact.kind !== 'payment' || fact.match !== 'inferred';
}
