import { HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import { backoffMs } from '#server/platform/jobs/worker.ts';
import { isLastPurchase } from '../projection/project-cancellations.ts';
import type { ProjectedSubscription } from '../projection/project-subscriptions.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import { ProviderError } from '../providers/provider-error.ts';
import { applyFacts } from '../state/apply-facts.ts';
import {
  type CancellationRow,
  closeCancellation,
  leaseCancellations,
  leaseCancellationsOf,
  postponeCancellation,
} from '../state/cancellation-store.ts';
import type { ProjectDeps } from '../state/project-user.ts';
import { readBilling } from '../state/read-billing.ts';

/** Longer than the questions to the provider can take. */
const LEASE_MS = 2 * MINUTE_MS;
const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_MS = HOUR_MS;

/** Takes cancellations that are due. */
export function leaseCancellation(
  { database, clock }: Pick<ProjectDeps, 'database' | 'clock'>,
  limit: number,
): Promise<CancellationRow[]> {
  return leaseCancellations(database.sql, clock.now(), LEASE_MS, limit);
}

/** Does what is wanted and due of one user now, rather than in its turn. */
export async function runCancellationsOf(deps: ProjectDeps, userId: string): Promise<void> {
  const due = await leaseCancellationsOf(deps.database.sql, userId, deps.clock.now(), LEASE_MS);
  await Promise.all(due.map((wanted) => runCancellation(deps, wanted)));
}

/**
 * Ends the renewing of a subscription at its provider, and keeps trying until the provider says that it will not charge again.
 * Where it cannot end with its period, or that is over, it ends at once: what was paid stays usable by our rules.
 */
export async function runCancellation(deps: ProjectDeps, wanted: CancellationRow): Promise<void> {
  const { database, clock, log, providers } = deps;
  const provider = providers[wanted.provider];
  try {
    if (!provider) throw new Error(`${wanted.provider} is not configured any more`);
    if ((await isRenewing(deps, wanted)) !== false) await cancelAt(deps, provider, wanted);
    await closeCancellation(database.sql, wanted, clock.now());
  } catch (err) {
    const { provider: name, subscriptionId, reason, tries } = wanted;
    const about = { err, provider: name, subscriptionId, reason, tries };
    log.warn(about, 'a subscription could not be cancelled yet and will be tried again');
    const until = new Date(clock.now().getTime() + backoffMs(tries, FIRST_RETRY_MS, MAX_RETRY_MS));
    const message = (err instanceof Error ? err.message : String(err)).slice(0, 500);
    await postponeCancellation(database.sql, wanted, until, message);
  }
}

/** All subscriptions of the user as far as we know, and the one that is to be cancelled; undefined: it is not known at all. */
async function readKnown(deps: ProjectDeps, wanted: CancellationRow) {
  const { projection } = await readBilling(deps, wanted.userId);
  const all = [...projection.subscriptions, ...projection.failing];
  const known = all.find(
    (each) => each.provider === wanted.provider && each.subscriptionId === wanted.subscriptionId,
  );
  return { all, known };
}

/** True when it will be charged again, as far as we know; null: we know nothing of it. */
async function isRenewing(deps: ProjectDeps, wanted: CancellationRow): Promise<boolean | null> {
  return (await readKnown(deps, wanted)).known?.renews ?? null;
}

/** Whether the last paid period that we know is over, or none began and its charges fail. */
function isOver({ clock }: ProjectDeps, known: ProjectedSubscription | undefined): boolean {
  const { paidUntil = null, isFailing = false } = known ?? {};
  if (isFailing) return true;
  return paidUntil !== null && paidUntil <= clock.now().getTime();
}

/** Whether what a later purchase replaced was itself paid after that one, which was not known when it was to be cancelled. */
async function isUnreplaced(deps: ProjectDeps, wanted: CancellationRow): Promise<boolean> {
  if (wanted.reason !== 'replaced') return false;
  const { known, all } = await readKnown(deps, wanted);
  return known !== undefined && isLastPurchase(known, all);
}

/**
 * Chooses when it ends. A late renewal, or a first charge that failed, is tried again until the subscription ends, so that it ends at
 * once; it may have been paid without our knowledge, so the provider is asked before.
 */
async function chooseEnd(
  deps: ProjectDeps,
  provider: PaymentProvider,
  wanted: CancellationRow,
): Promise<'now' | 'period_end'> {
  if (!wanted.periodEnd) return 'now';
  const { known } = await readKnown(deps, wanted);
  const { cancelAtPeriodEnd } = provider.offers;
  if (!cancelAtPeriodEnd && !known?.isFailing) return 'now';
  if (!isOver(deps, known)) return 'period_end';
  try {
    const facts = await provider.fetchSubscription(wanted.subscriptionId);
    await applyFacts(deps, { provider: provider.name, facts, source: 'question' });
  } catch (error) {
    // It may never answer: who cancelled is not to be charged again for that.
    if (!(error instanceof ProviderError && ['refused', 'malformed'].includes(error.kind))) throw error;
  }
  const after = await readKnown(deps, wanted);
  return cancelAtPeriodEnd && !isOver(deps, after.known) ? 'period_end' : 'now';
}

/**
 * Asks, and looks again where the answer leaves it open or refuses: it may have been done before. Leaves alone what is found to be the
 * last purchase: the other one is cancelled in its place.
 */
async function cancelAt(
  deps: ProjectDeps,
  provider: PaymentProvider,
  wanted: CancellationRow,
): Promise<void> {
  const { subscriptionId } = wanted;
  const when = await chooseEnd(deps, provider, wanted);
  if (await isUnreplaced(deps, wanted)) return;
  const source = { provider: provider.name, source: 'question' } as const;
  let refusal: ProviderError | null = null;
  try {
    const answer = await provider.cancelSubscription(subscriptionId, when);
    if (answer.result === 'unsupported') throw new Error(`${provider.name} cannot cancel (${when})`);
    await applyFacts(deps, { ...source, facts: answer.facts });
    if (!(await isRenewing(deps, wanted))) return;
  } catch (error) {
    if (!(error instanceof ProviderError && error.kind === 'refused')) throw error;
    refusal = error;
  }
  await applyFacts(deps, { ...source, facts: await provider.fetchSubscription(subscriptionId) });
  if (await isRenewing(deps, wanted)) throw refusal ?? new Error('the subscription still renews');
}
