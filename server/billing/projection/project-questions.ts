import type { Provider } from '#contract/choices.ts';
import { DAY_MS } from '#contract/time.ts';
import type { ProviderSnapshot, RefundEntry } from '../facts/provider-snapshot.ts';
import type { Quarantined } from './link-orders.ts';
import type { ProjectedSubscription } from './project-subscriptions.ts';

/** Something that only its provider can report. */
export interface Question {
  provider: Provider;
  kind: 'subscription' | 'transaction';
  id: string;
}

/** How long a renewal that is unknown is asked about by itself; then it is left to the daily sweep. */
const RENEWAL_ASKED_MS = 14 * DAY_MS;
/** A refund that was announced and is not done after so long is not asked about by itself any more. */
const REFUND_TIMEOUT_MS = 62 * DAY_MS;

/** The questions for the providers: renewals that are due, purchases that are not confirmed, refunds under way, incomplete charges. */
export function projectQuestions(
  snapshot: ProviderSnapshot,
  subscriptions: readonly ProjectedSubscription[],
  quarantine: readonly Quarantined[],
  now: number,
): Question[] {
  const charges = quarantine.filter(({ reason }) => reason === 'incomplete');
  const ids = [
    ...charges.map(({ provider, subject }) => ({ provider, id: subject })),
    ...[...snapshot.refunds.values()]
      .filter((refund) => isOpen(refund, now))
      .map(({ provider, transactionId }) => ({ provider, id: transactionId })),
  ];
  const transactions = new Map(ids.map(({ provider, id }) => [`${provider}:${id}`, { provider, id }]));
  return [
    ...subscriptions.flatMap((each): Question[] =>
      each.subscriptionId !== null && isDue(each, now)
        ? [{ provider: each.provider, kind: 'subscription', id: each.subscriptionId }]
        : [],
    ),
    ...[...transactions]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, transaction]): Question => ({ ...transaction, kind: 'transaction' })),
  ];
}

function isDue({ state, renews, paidUntil }: ProjectedSubscription, now: number): boolean {
  if (state === 'pending') return true;
  return renews && paidUntil !== null && paidUntil <= now && now < paidUntil + RENEWAL_ASKED_MS;
}

/** Whether a refund is undecided, or decided for an amount that we could not read: ask until all that was announced was refunded. */
function isOpen({ isAll, parts, refunded, statuses }: RefundEntry, now: number): boolean {
  if (isAll) return false;
  const wanted = parts.filter((part) => part.done > 0 || !part.statuses.includes('failed'));
  const isWaiting = wanted.some(
    ({ own, done, at }) => done < Math.max(1, own) && now < (at ?? now) + REFUND_TIMEOUT_MS,
  );
  const announced = wanted.reduce((sum, { own }) => sum + Math.max(1, own), 0);
  if (isWaiting && refunded < announced) return true;
  if (statuses.includes('succeeded')) return refunded === 0;
  return statuses.includes('pending') && !statuses.includes('failed') && refunded === 0;
}
