import type { Deps } from '#server/deps.ts';
import type { Executor } from '#server/platform/database.ts';
import { lockKnownAccount, updateAccount } from './account-store.ts';
import { finishCancellations, insertCancellation } from './cancellation-store.ts';
import { updateOrders } from './order-store.ts';
import type { BillingProjection } from './project-billing.ts';
import { type BillingNews, publishBilling } from './publish-billing.ts';
import { type Billing, readBilling } from './read-billing.ts';
import { settleCredits } from './settle-credits.ts';
import { deleteSubscription, saveSubscription } from './store.ts';

export type ProjectDeps = Pick<Deps, 'database' | 'clock' | 'config' | 'providers' | 'bus' | 'log'>;

/** A question that can only be answered by a provider waits this long for its webhook. */
const PATIENCE_MS = 5_000;
/** A cancellation that the provider confirmed and did not do is asked for again after this time. */
const AGAIN_MS = 3_600_000;

/**
 * Brings everything that follows from what was told of a user up to date, in one transaction under the user's billing lock: where
 * orders and the subscription stand, grants and claw-backs, what is to be cancelled or asked. Tells the user's tabs what changed.
 * A second call changes nothing.
 */
export async function projectUser(deps: ProjectDeps, userId: string): Promise<BillingProjection> {
  const { projection, changes } = await deps.database.sql.begin(async (tx) => {
    const account = await lockKnownAccount(tx, userId);
    const billing = await readBilling(deps, userId, tx);
    if (!account) return { projection: billing.projection, changes: null };
    const changed = await writeProjection(deps, tx, userId, billing);
    const now = deps.clock.now();
    const { disputes, nextChangeAt, questions } = billing.projection;
    await updateAccount(
      tx,
      userId,
      {
        disputed: disputes.some((key) => !account.clearedDisputes.includes(key)),
        nextChangeAt,
        askAt: questions.length > 0 ? new Date(now.getTime() + PATIENCE_MS) : null,
      },
      now,
    );
    return { projection: billing.projection, changes: changed };
  });
  if (changes) publishBilling(deps, userId, changes);
  return projection;
}

async function writeProjection(
  deps: ProjectDeps,
  tx: Executor,
  userId: string,
  { projection }: Billing,
): Promise<BillingNews> {
  const orders = await updateOrders(
    tx,
    projection.orders.map(({ orderId, ...order }) => ({ id: orderId, ...order })),
  );
  const subscription = await writeSubscription(tx, userId, projection);
  const balance = await settleCredits(deps, tx, userId, projection);
  await writeCancellations(tx, userId, projection, deps.clock.now());
  return { orders, subscription, balance };
}

async function writeSubscription(
  tx: Executor,
  userId: string,
  { subscription, subscriptions, accessUntil }: BillingProjection,
): Promise<BillingNews['subscription']> {
  if (!subscription) return (await deleteSubscription(tx, userId)) ? null : undefined;
  const { planKey, cycle, provider, state, active, cancelAtPeriodEnd, currentPeriodStart } = subscription;
  const paidUntil = subscriptions[0]?.paidUntil ?? null;
  const saved = await saveSubscription(tx, {
    ...{ userId, planKey, cycle, provider, state, active, cancelAtPeriodEnd, accessUntil },
    currentPeriodStart: dateOf(currentPeriodStart),
    expiresAt: dateOf(paidUntil),
    updatedAt: new Date(subscription.updatedAt),
  });
  return saved ?? undefined;
}

/** Wants what is to be cancelled, and ends what was wanted of subscriptions that are not charged again. */
async function writeCancellations(
  tx: Executor,
  userId: string,
  { cancellations, subscriptions }: BillingProjection,
  askedAt: Date,
): Promise<void> {
  const since = new Date(askedAt.getTime() - AGAIN_MS);
  for (const { provider, subscriptionId, reason, when } of cancellations) {
    const wanted = { provider, subscriptionId, userId, reason, askedAt, periodEnd: when === 'period_end' };
    await insertCancellation(tx, wanted, since);
  }
  const ended = subscriptions.flatMap(({ provider, subscriptionId, renews }) =>
    subscriptionId !== null && !renews ? { provider, subscriptionId } : [],
  );
  if (ended.length > 0) await finishCancellations(tx, userId, ended, askedAt);
}

function dateOf(time: number | null): Date | null {
  return time === null ? null : new Date(time);
}
