import type { Provider } from '#contract/billing.ts';
import { listGrants } from '#server/credits/list-grants.ts';
import type { Executor } from '#server/platform/database.ts';
import type { PaymentEntry } from './fact-book.ts';
import type { FactRow } from './fact-store.ts';
import type { Mode } from './providers/facts.ts';
import type { Billing } from './read-billing.ts';
import { findBuyer, resolveUncredited, type UncreditedRow, upsertUncredited } from './uncredited-store.ts';

/** What the provider has told in part only, or not yet whose it is, usually follows within seconds. */
const PATIENCE_MS = 2 * 60_000;
const PASSING = ['incomplete', 'order_unknown', 'inferred'];

/**
 * Notes which charges of a user were paid and grant nothing, and that nothing is owed for those that were granted or given back.
 * In the transaction that books what is granted, after it.
 */
export async function recordUncredited(
  tx: Executor,
  userId: string,
  { book, projection }: Pick<Billing, 'book' | 'projection'>,
  at: Date,
): Promise<void> {
  const granted = new Set((await listGrants(tx, userId)).map(({ paymentKey }) => paymentKey));
  const owed = new Map<string, UncreditedRow & { alertAt: Date }>();
  for (const { provider, subject, orderId, reason } of projection.quarantine) {
    const key = `${provider}:${subject}`;
    const payment = book.payments.get(key);
    if (!payment || granted.has(key) || isGivenBack(book, key, payment)) continue;
    const alertAt = new Date(at.getTime() + (PASSING.includes(reason) ? PATIENCE_MS : 0));
    owed.set(key, {
      ...presentPayment(payment),
      provider,
      transactionId: subject,
      userId,
      orderId,
      reason,
      alertAt,
    });
  }
  await upsertUncredited(tx, [...owed.values()], at);
  const settled = [...book.payments.keys()].filter((key) => !owed.has(key));
  await resolveUncredited(tx, settled, at);
}

function isGivenBack(
  { refunds, disputes }: Billing['book'],
  key: string,
  { amounts }: PaymentEntry,
): boolean {
  const refunded = refunds.get(key)?.refunded ?? 0;
  return disputes.has(key) || (refunded > 0 && refunded >= (amounts[0] ?? 0));
}

function presentPayment({ amounts, currencies, paidAts }: PaymentEntry) {
  const [paidAt] = paidAts;
  return {
    amountMinor: amounts[0] ?? null,
    currency: currencies[0] ?? null,
    paidAt: paidAt === undefined ? null : new Date(paidAt),
  };
}

/** Notes charges of one answer or webhook that belong to nobody, or to several. Who is likely to have paid one is told of it. */
export async function recordUnattributed(
  tx: Executor,
  provider: Provider,
  mode: Mode,
  rows: readonly FactRow[],
  at: Date,
): Promise<void> {
  const nobodys = rows.filter(({ userId, fact }) => userId === null && isOurs(fact, mode));
  const found: (UncreditedRow & { alertAt: Date })[] = [];
  for (const { fact, isTorn } of nobodys) {
    if (fact.kind !== 'payment') continue;
    const { transactionId, amountMinor, currency, paidAt, customerEmail } = fact;
    found.push({
      ...{ provider, transactionId, amountMinor, currency, paidAt, orderId: null },
      userId: customerEmail === null ? null : await findBuyer(tx, provider, customerEmail),
      reason: isTorn ? 'contradictory' : 'order_unknown',
      alertAt: new Date(at.getTime() + (isTorn ? 0 : PATIENCE_MS)),
    });
  }
  await upsertUncredited(tx, found, at);
  const givenBack = nobodys.flatMap(({ fact }) =>
    fact.kind === 'refund' && isWhole(fact.refundedMinor, fact.paidMinor)
      ? [`${provider}:${fact.transactionId}`]
      : [],
  );
  await resolveUncredited(tx, givenBack, at);
}

function isOurs(fact: FactRow['fact'], mode: Mode): boolean {
  return fact.kind !== 'unknown' && (fact.mode === null || fact.mode === mode);
}

function isWhole(refunded: number | null, paid: number | null): boolean {
  return refunded !== null && paid !== null && refunded >= paid;
}
