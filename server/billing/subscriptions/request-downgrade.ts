import { setTimeout as sleep } from 'node:timers/promises';
import type { BillingStatus, Downgrade } from '#contract/billing.ts';
import { isDowngrade } from '#contract/plan-rank.ts';
import { AppError } from '#server/errors.ts';
import type { ConfirmDeps } from '../orders/confirm-order.ts';
import { limitProviderCalls } from '../orders/limit-provider-calls.ts';
import { isLive } from '../projection/project-subscriptions.ts';
import { insertCancellation } from '../state/cancellation-store.ts';
import { lockAccount } from '../state/order-store.ts';
import { saveWish } from '../state/plan-wish-store.ts';
import { projectUser } from '../state/project-user.ts';
import { readBillingStatus } from './read-billing-status.ts';
import { readChosenSubscription } from './read-chosen-subscription.ts';
import { runCancellationsOf } from './run-cancellation.ts';

const CANCEL_TIMEOUT_MS = 5_000;

/**
 * Has a lower plan follow what runs: that is not renewed any more, nothing is charged, and the new plan is offered shortly before
 * the paid period ends. Neither provider can put off a switch: Creem's takes effect at once. Throws `not_found` without a plan,
 * `not_a_downgrade`, and `subscription_not_ready` while the provider has not sent the id of the running subscription.
 */
export async function requestDowngrade(
  deps: ConfirmDeps,
  userId: string,
  wanted: Downgrade,
): Promise<BillingStatus> {
  await limitProviderCalls(deps, userId);
  const { chosen } = await readChosenSubscription(deps, userId, {});
  const wishedAt = deps.clock.now();
  if (!isLive(chosen, wishedAt.getTime())) throw new AppError('not_found');
  if (!isDowngrade(chosen.order, wanted)) throw new AppError('not_a_downgrade');
  const { provider, subscriptionId, renews, order } = chosen;
  if (subscriptionId === null) throw new AppError('subscription_not_ready');
  await deps.database.sql.begin(async (tx) => {
    await lockAccount(tx, userId);
    await saveWish(tx, userId, { ...wanted, orderId: order.id, wishedAt });
    const end = {
      provider,
      subscriptionId,
      userId,
      periodEnd: true,
      reason: 'user',
      askedAt: wishedAt,
    } as const;
    if (renews) await insertCancellation(tx, end, wishedAt);
  });
  await Promise.race([runCancellationsOf(deps, userId), sleep(CANCEL_TIMEOUT_MS, undefined, { ref: false })]);
  await projectUser(deps, userId);
  return readBillingStatus(deps, userId);
}
