import { setTimeout as sleep } from 'node:timers/promises';
import type { BillingStatus, SubscriptionChoice } from '#contract/billing.ts';
import { AppError } from '#server/errors.ts';
import { type ConfirmDeps, confirmInTime } from '../orders/confirm-order.ts';
import { limitProviderCalls } from '../orders/limit-provider-calls.ts';
import type { ProjectedSubscription } from '../projection/project-subscriptions.ts';
import { insertCancellation } from '../state/cancellation-store.ts';
import { lockAccount } from '../state/order-store.ts';
import { readBillingStatus } from './read-billing-status.ts';
import { readChosenSubscription } from './read-chosen-subscription.ts';
import { runCancellationsOf } from './run-cancellation.ts';

const CANCEL_TIMEOUT_MS = 5_000;

/**
 * Ends the renewing of a subscription; what is paid stays. The wish is stored before the provider is asked, and asked for until
 * the provider has it, so that it counts at once whatever happens next. Nothing changes for one that ends anyway. Throws
 * `not_found`, and `subscription_not_ready` while its provider has not sent its id.
 */
export async function cancelSubscription(
  deps: ConfirmDeps,
  userId: string,
  choice: SubscriptionChoice,
): Promise<BillingStatus> {
  await limitProviderCalls(deps, userId);
  const chosen = await readIdentified(deps, userId, choice);
  if (!chosen.renews) return readBillingStatus(deps, userId);
  const { provider, subscriptionId } = chosen;
  if (subscriptionId === null) throw new AppError('subscription_not_ready');
  const askedAt = deps.clock.now();
  await deps.database.sql.begin(async (tx) => {
    await lockAccount(tx, userId);
    const wish = { provider, subscriptionId, userId, periodEnd: true, reason: 'user', askedAt } as const;
    await insertCancellation(tx, wish, askedAt);
  });
  await Promise.race([runCancellationsOf(deps, userId), sleep(CANCEL_TIMEOUT_MS, undefined, { ref: false })]);
  return readBillingStatus(deps, userId);
}

/** The chosen one; where its id is not known yet, its provider is asked for it first. */
async function readIdentified(
  deps: ConfirmDeps,
  userId: string,
  choice: SubscriptionChoice,
): Promise<ProjectedSubscription> {
  const { chosen, billing } = await readChosenSubscription(deps, userId, choice);
  const order = billing.orders.find(({ id }) => id === chosen.order.id);
  if (chosen.subscriptionId !== null || !order) return chosen;
  await confirmInTime(deps, order, CANCEL_TIMEOUT_MS);
  return (await readChosenSubscription(deps, userId, { orderId: order.id })).chosen;
}
