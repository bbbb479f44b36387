import type { Provider } from '#contract/choices.ts';
import { MINUTE_MS } from '#contract/time.ts';
import { listGrants } from '#server/credits/grant-credits.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { type FactRow, selectChargesAndRefunds } from '../facts/fact-store.ts';
import { mergeFacts } from '../facts/merge-facts.ts';
import { EMPTY_SNAPSHOT, isRefundedInFull, type ProviderSnapshot } from '../facts/provider-snapshot.ts';
import type { Mode } from '../providers/facts.ts';
import type { Billing } from './read-billing.ts';
import {
  findBuyer,
  resolveUncredited,
  selectSums,
  type UncreditedRow,
  upsertUncredited,
} from './uncredited-store.ts';

/** The missing parts of a charge, or its owner, usually follow within seconds. */
const ALERT_DELAY_MS = 2 * MINUTE_MS;
const PASSING = ['incomplete', 'order_unknown', 'inferred'];

/**
 * Records the charges of a user that were paid and grant nothing, and settles those that were granted or refunded since. Called in the
 * transaction that books the grants, after them.
 */
export async function recordUncredited(
  tx: Executor,
  userId: string,
  { snapshot, projection }: Pick<Billing, 'snapshot' | 'projection'>,
  at: Date,
): Promise<void> {
  const refused = projection.quarantine
    .map((each) => ({ ...each, key: `${each.provider}:${each.subject}` }))
    .filter(({ key }) => snapshot.payments.has(key) && !snapshot.disputes.has(key));
  const grants = refused.length > 0 ? await listGrants(tx, userId) : [];
  const granted = new Set(grants.map(({ paymentKey }) => paymentKey));
  const doubtful = new Map(refused.filter(({ key }) => !granted.has(key)).map((each) => [each.key, each]));
  const sums = doubtful.size > 0 ? await selectSums(tx, userId) : [];
  const owed = [...doubtful.values()].flatMap(({ key, provider, subject, orderId, reason }) => {
    const sum = sums.find((each) => `${each.provider}:${each.transactionId}` === key);
    const { amountMinor = null, currency = null, paidAt = null } = sum ?? {};
    if (isRefundedInFull(snapshot, key) || isGuessRefunded(snapshot, key, amountMinor)) return [];
    const alertAt = new Date(at.getTime() + (PASSING.includes(reason) ? ALERT_DELAY_MS : 0));
    return {
      provider,
      transactionId: subject,
      userId,
      orderId,
      reason,
      amountMinor,
      currency,
      paidAt,
      alertAt,
    };
  });
  await upsertUncredited(tx, owed, at);
  const isOwed = new Set(owed.map(({ provider, transactionId }) => `${provider}:${transactionId}`));
  const settled = [...snapshot.payments.keys()].filter((key) => !isOwed.has(key));
  await resolveUncredited(tx, settled, at);
}

/** Whether a charge that only a guess ties to the user was refunded: the snapshot has no sum of such a charge. */
function isGuessRefunded({ payments, refunds }: ProviderSnapshot, key: string, amount: number | null) {
  const isGuess = payments.get(key)?.sums.length === 0;
  return isGuess && amount !== null && amount > 0 && (refunds.get(key)?.refunded ?? 0) >= amount;
}

/**
 * Records unattributed and ambiguous charges of one answer or webhook, and settles those that were refunded in full, now or before.
 * Informs the user who probably paid.
 */
export async function recordUnattributed(
  tx: Executor,
  provider: Provider,
  mode: Mode,
  rows: readonly FactRow[],
  at: Date,
): Promise<void> {
  const unattributed = rows.filter(({ userId, fact }) => userId === null && isOurs(fact, mode));
  const ids = unattributed.flatMap(({ fact }) =>
    fact.kind === 'payment' || fact.kind === 'refund' ? fact.transactionId : [],
  );
  const facts = ids.length > 0 ? await selectChargesAndRefunds(tx, provider, ids) : [];
  const snapshot = mergeFacts(EMPTY_SNAPSHOT, { provider, mode, facts });
  const isRefunded = (id: string) => isRefundedInFull(snapshot, `${provider}:${id}`);
  const found: (UncreditedRow & { alertAt: Date })[] = [];
  for (const { fact, isAmbiguous } of unattributed) {
    if (fact.kind !== 'payment' || isRefunded(fact.transactionId)) continue;
    const { transactionId, amountMinor, currency, paidAt, customerEmail } = fact;
    found.push({
      provider,
      transactionId,
      amountMinor,
      currency,
      paidAt,
      orderId: null,
      userId: customerEmail === null ? null : await findBuyer(tx, provider, customerEmail),
      reason: isAmbiguous ? 'contradictory' : 'order_unknown',
      alertAt: new Date(at.getTime() + (isAmbiguous ? 0 : ALERT_DELAY_MS)),
    });
  }
  await upsertUncredited(tx, found, at);
  const settled = ids.filter(isRefunded).map((id) => `${provider}:${id}`);
  await resolveUncredited(tx, settled, at);
}

function isOurs(fact: FactRow['fact'], mode: Mode): boolean {
  return fact.kind !== 'unknown' && (fact.mode === null || fact.mode === mode);
}
