import { HOUR_MS } from '#contract/time.ts';
import type { Deps } from '#server/deps.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { dateOf } from '../facts/period-rules.ts';
import { lockKnownAccount, updateAccount } from './account-store.ts';
import { applyCredits } from './apply-credits.ts';
import { finishCancellations, insertCancellation } from './cancellation-store.ts';
import { clearWish } from './clear-wish.ts';
import { updateOrders } from './order-store.ts';
import { askAbout } from './poll-store.ts';
import { type BillingNews, publishBilling } from './publish-billing.ts';
import { type Billing, readBilling } from './read-billing.ts';
import { recordUncredited } from './record-uncredited.ts';
import { requestBillingMails } from './request-billing-mails.ts';
import { deleteSubscription, findSubscription, saveSubscription } from './store.ts';

export type ProjectDeps = Pick<Deps, 'database' | 'clock' | 'config' | 'providers' | 'bus' | 'log'>;

/** A question that can only be answered by a provider waits this long for its webhook. */
const ASK_DELAY_MS = 5_000;
/** A cancellation that the provider confirmed and did not do is asked for again after this time. */
const AGAIN_MS = HOUR_MS;

/**
 * Brings everything that follows from the facts of a user up to date, in one transaction under the user's billing lock: orders,
 * subscription, grants, revocations, cancellations and questions. Notifies the user's tabs of what changed. A second call changes
 * nothing.
 */
export async function projectUser(deps: ProjectDeps, userId: string): Promise<Billing['projection']> {
  const { projection, changes } = await deps.database.sql.begin(async (tx) => {
    const account = await lockKnownAccount(tx, userId);
    const billing = await readBilling(deps, userId, tx);
    if (!account) return { projection: billing.projection, changes: null };
    const wasActive = (await findSubscription(tx, userId))?.active ?? false;
    const { againAt, ...changed } = await writeProjection(deps, tx, userId, billing);
    await clearWish(tx, userId, billing);
    await recordUncredited(tx, userId, billing, deps.clock.now());
    const mailAt = await requestBillingMails(deps, tx, userId, billing, wasActive);
    const now = deps.clock.now();
    const { disputes, nextChangeAt, questions } = billing.projection;
    await updateAccount(
      tx,
      userId,
      {
        disputed: disputes.some((key) => !account.clearedDisputes.includes(key)),
        nextChangeAt: earliestOf(nextChangeAt, mailAt, againAt),
      },
      now,
    );
    const unbound = billing.projection.quarantine.filter(({ reason }) => reason === 'unlinked');
    const providers = [...questions, ...unbound].map(({ provider }) => provider);
    await askAbout(tx, userId, providers, new Date(now.getTime() + ASK_DELAY_MS));
    return { projection: billing.projection, changes: changed };
  });
  if (changes) publishBilling(deps, userId, changes);
  return projection;
}

async function writeProjection(
  deps: ProjectDeps,
  tx: Executor,
  userId: string,
  { projection, known }: Billing,
): Promise<BillingNews & { againAt: Date | null }> {
  const orders = await updateOrders(
    tx,
    projection.orders.map(({ orderId, ...order }) => ({ id: orderId, ...order })),
  );
  const subscription = await writeSubscription(tx, userId, projection);
  const balance = await applyCredits(deps, tx, userId, { ...projection, ...known });
  const againAt = await writeCancellations(tx, userId, projection, deps.clock.now());
  return { orders, subscription, balance, againAt };
}

async function writeSubscription(
  tx: Executor,
  userId: string,
  { subscription, subscriptions, accessUntil }: Billing['projection'],
): Promise<BillingNews['subscription']> {
  if (!subscription) return (await deleteSubscription(tx, userId)) ? null : undefined;
  const { planKey, cycle, provider, state, active, cancelAtPeriodEnd, currentPeriodStart } = subscription;
  const paidUntil = subscriptions[0]?.paidUntil ?? null;
  const saved = await saveSubscription(tx, {
    userId,
    planKey,
    cycle,
    provider,
    state,
    active,
    cancelAtPeriodEnd,
    accessUntil,
    currentPeriodStart: dateOf(currentPeriodStart),
    expiresAt: dateOf(paidUntil),
    updatedAt: new Date(subscription.updatedAt),
  });
  return saved ?? undefined;
}

/**
 * Requests the cancellations, and ends the requests for subscriptions that are not charged again. Returns when a cancellation that its
 * provider did not keep is to be requested again.
 */
async function writeCancellations(
  tx: Executor,
  userId: string,
  { cancellations, subscriptions }: Billing['projection'],
  askedAt: Date,
): Promise<Date | null> {
  const since = new Date(askedAt.getTime() - AGAIN_MS);
  let againAt: Date | null = null;
  for (const { provider, subscriptionId, reason, when } of cancellations) {
    const wanted = { provider, subscriptionId, userId, reason, askedAt, periodEnd: when === 'period_end' };
    const heldSince = await insertCancellation(tx, wanted, since);
    againAt = earliestOf(againAt, heldSince && new Date(heldSince.getTime() + AGAIN_MS));
  }
  const ended = subscriptions.flatMap(({ provider, subscriptionId, renews }) =>
    subscriptionId !== null && !renews ? { provider, subscriptionId } : [],
  );
  if (ended.length > 0) await finishCancellations(tx, userId, ended, askedAt);
  return againAt;
}

/** The earliest of some times; null where there is none. */
function earliestOf(...times: (Date | null)[]): Date | null {
  const known = times.flatMap((time) => (time ? time.getTime() : []));
  return known.length > 0 ? new Date(Math.min(...known)) : null;
}
