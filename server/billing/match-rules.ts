import type { Fact, PaymentFact } from './providers/facts.ts';

export const isCharge = (fact: Fact): fact is PaymentFact => fact.kind === 'payment';

/** A charge that names neither order nor subscription. */
export const isBareCharge = (fact: Fact): fact is PaymentFact =>
  isCharge(fact) && fact.orderId === null && fact.subscriptionId === null;
