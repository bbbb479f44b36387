import type { Fact, PaymentFact } from '../facts.ts';
import { completePayment } from './complete-payment.ts';
import type { CreemReader } from './creem-reader.ts';

/** Completes facts by asking Creem; see `PaymentProvider.resolve`. */
export async function resolveCreem(reader: CreemReader, facts: readonly Fact[]): Promise<Fact[]> {
  const ids = new Set(facts.flatMap((fact) => (fact.kind === 'subscription' ? [fact.subscriptionId] : [])));
  const snapshots = await Promise.all([...ids].map((id) => reader.fetchSnapshot(id)));
  const completed = await Promise.all(facts.map((fact) => complete(reader, fact)));
  return [...completed.flat(), ...snapshots.filter((snapshot) => snapshot !== null)];
}

async function complete(reader: CreemReader, fact: Fact): Promise<Fact[]> {
  if (fact.kind === 'payment' && fact.amountMinor === null) {
    const found = await reader.fetchTransaction(fact.transactionId);
    const record = found.find((each): each is PaymentFact => each.kind === 'payment') ?? null;
    return [completePayment(fact, record), ...found.filter((each) => each.kind !== 'payment')];
  }
  const isOpen = fact.kind === 'refund' && (fact.status === 'pending' || fact.refundedMinor === null);
  if (!isOpen) return [fact];
  const found = await reader.fetchTransaction(fact.transactionId);
  return [fact, ...found.filter((each) => each.kind === 'refund' || each.kind === 'dispute')];
}
