import type { ProviderSnapshot } from '../facts/provider-snapshot.ts';
import type { PaidPeriod, Quarantined } from './link-orders.ts';
import type { BillingProjection } from './project-billing.ts';
import type { WantedCancellation } from './project-cancellations.ts';
import { projectLoss } from './project-loss.ts';
import type { ProjectedSubscription } from './project-subscriptions.ts';

/**
 * What a projection comes to when its user has the account deleted: no plan, no grants, nothing given back of what was taken
 * back, every subscription ended at once. What was charged, not given back, and is not among the `granted` payments is set aside: the operator has to give it back.
 */
export function projectDeletion(
  projection: BillingProjection,
  snapshot: ProviderSnapshot,
  paid: readonly PaidPeriod[],
  granted: ReadonlySet<string | null>,
): BillingProjection {
  const { subscriptions, quarantine, revocations } = projection;
  const owed = paid.filter(
    (each) => !granted.has(each.paymentKey) && !projectLoss(snapshot, each).isRefunded,
  );
  return {
    ...projection,
    subscription: null,
    accessUntil: null,
    grants: [],
    revocations: revocations.map((each) => ({ ...each, mayFall: false })),
    freePausedUntil: null,
    cancellations: subscriptions.flatMap(endOf),
    quarantine: [...quarantine, ...owed.map(presentOwed)],
  };
}

function endOf({ provider, subscriptionId, order, renews }: ProjectedSubscription): WantedCancellation[] {
  if (subscriptionId === null || !renews) return [];
  return [{ provider, subscriptionId, orderId: order.id, when: 'now', reason: 'left' }];
}

function presentOwed({ order, transactionId }: PaidPeriod): Quarantined {
  return {
    provider: order.provider,
    subject: transactionId,
    orderId: order.id,
    reason: 'account_deleted',
    charge: 'not_granted',
  };
}
