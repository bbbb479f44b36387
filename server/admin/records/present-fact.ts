import { parseFact } from '#server/billing/facts/fact-rules.ts';
import type { Fact } from '#server/billing/providers/facts.ts';
import type { Row, StoredFact } from './store.ts';

/** A fact of a provider in one line: the parts that distinguish it. */
export function presentFact(fact: Fact): string {
  if (fact.kind === 'unknown') return fact.reason;
  const parts = [
    'status' in fact ? fact.status : null,
    'amountMinor' in fact ? `${majorOf(fact.amountMinor)} ${fact.currency ?? ''}` : null,
    'refundedMinor' in fact ? `${majorOf(fact.refundedMinor)} / ${majorOf(fact.paidMinor)}` : null,
    fact.customerEmail,
    'match' in fact && fact.match === 'inferred' ? 'inferred' : null,
    fact.orderId && `order ${fact.orderId}`,
    fact.kind === 'subscription' ? null : fact.subscriptionId,
    timeOf(fact),
  ];
  return parts.filter(Boolean).join(' · ');
}

/** A stored fact as a row to be shown. */
export function presentStored(row: StoredFact): Row {
  return { ...row, fact: presentFact(parseFact(row.fact)) };
}

function majorOf(minor: number | null): string {
  return minor === null ? '?' : (minor / 100).toFixed(2);
}

function timeOf(fact: Exclude<Fact, { kind: 'unknown' }>): string | null {
  const time =
    fact.kind === 'payment' ? fact.paidAt : fact.kind === 'subscription' ? fact.updatedAt : fact.at;
  return time ? `${time.toISOString().replace('T', ' ').slice(0, 19)} UTC` : null;
}
