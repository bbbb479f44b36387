import type { FactLine, FactProblem } from '#contract/admin/order-facts.ts';
import type { Money } from '#contract/admin/screens.ts';
import { parseFact } from '#server/billing/facts/fact-rules.ts';
import type { Fact, UnknownFact, UnknownReason } from '#server/billing/providers/facts.ts';
import { decimalsOf } from '#server/billing/providers/money.ts';
import type { Row, StoredFact } from './store.ts';

const PROBLEM: Record<UnknownReason, FactProblem> = {
  'an event without an object': 'no_object',
  'an event of an unknown type': 'unknown_type',
  'an event without anything known in it': 'nothing_known',
  'a subscription without an id or a time': 'no_id',
  'a subscription with an unknown status': 'unknown_status',
  'a checkout with an unknown status': 'unknown_status',
  'a paid period without its transaction': 'no_charge',
  'a payment without its order': 'no_charge',
  'a transaction without an id': 'no_id',
  'a transaction without an id or a currency': 'no_id',
  'a refund without a transaction or with an unknown status': 'no_charge',
  'a refund without its order': 'no_charge',
  'a dispute without a transaction': 'no_charge',
  'an id of more than 150 characters': 'id_too_long',
};

/** A fact of a provider in codes: the parts that distinguish it. */
export function presentFact(fact: Fact): FactLine {
  if (fact.kind === 'unknown') return presentUnknown(fact);
  return {
    kind: fact.kind,
    status: 'status' in fact ? fact.status : null,
    paid:
      'amountMinor' in fact && fact.amountMinor !== null
        ? { minor: fact.amountMinor, currency: fact.currency }
        : null,
    refunded: 'refundedMinor' in fact ? { minor: fact.refundedMinor, of: fact.paidMinor } : null,
    email: fact.customerEmail,
    isInferred: 'match' in fact && fact.match === 'inferred',
    orderId: fact.orderId,
    subscriptionId: fact.subscriptionId,
    at: timeOf(fact)?.getTime() ?? null,
    problem: null,
  };
}

/** A stored fact as a row of the command line. */
export function presentStored(row: StoredFact): Row {
  return { ...row, fact: textOfFact(parseFact(row.fact)) };
}

/** A fact in one line of English, for the command line. */
export function textOfFact(fact: Fact): string {
  if (fact.kind === 'unknown') return fact.reason;
  const { kind, status, paid, refunded, email, isInferred, orderId, subscriptionId, at } = presentFact(fact);
  const parts = [
    status,
    kind === 'payment' ? textOfPaid(paid) : null,
    refunded && `${majorOf(refunded.minor)} / ${majorOf(refunded.of)}`,
    email,
    isInferred ? 'inferred' : null,
    orderId && `order ${orderId}`,
    kind === 'subscription' ? null : subscriptionId,
    at === null ? null : `${new Date(at).toISOString().replace('T', ' ').slice(0, 19)} UTC`,
  ];
  return parts.filter(Boolean).join(' · ');
}

/** An amount in the units of its currency, for the command line: `6.90` of US dollars, `1000` of yen. */
export function writeAmount({ currency, minor }: Money): string {
  const digits = decimalsOf(currency);
  return (minor / 10 ** digits).toFixed(digits);
}

/** An amount with its currency: `6.90 USD`. */
export function writeMoney(money: Money): string {
  return `${writeAmount(money)} ${money.currency}`;
}

function presentUnknown({ kind, type, reason }: UnknownFact): FactLine {
  return {
    kind,
    status: null,
    paid: null,
    refunded: null,
    email: null,
    isInferred: false,
    orderId: null,
    subscriptionId: null,
    at: null,
    problem: { type, code: PROBLEM[reason] ?? 'other' },
  };
}

function textOfPaid(paid: FactLine['paid']): string {
  if (paid === null) return '?';
  const { currency, minor } = paid;
  return currency === null ? majorOf(minor) : writeMoney({ currency, minor });
}

/** An amount whose currency is not named, with two decimals as most have; `?` for an unknown one. */
function majorOf(minor: number | null): string {
  return minor === null ? '?' : (minor / 100).toFixed(2);
}

function timeOf(fact: Exclude<Fact, UnknownFact>): Date | null {
  return fact.kind === 'payment' ? fact.paidAt : fact.kind === 'subscription' ? fact.updatedAt : fact.at;
}
