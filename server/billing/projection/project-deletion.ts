import type { ProviderSnapshot } from '../facts/provider-snapshot.ts';
import type { PaidPeriod, Quarantined } from './link-orders.ts';
import type { BillingProjection } from './project-billing.ts';
import type { WantedCancellation } from './project-cancellations.ts';
import { projectLoss } from './project-loss.ts';
import type { ProjectedSubscription } from './project-subscriptions.ts';

/**
 * The projection of a user whose account is deleted: no plan, no grants, every subscription ended at once; Credits that were taken back
 * stay so. Charges that were not refunded and are not among the `granted` payments are set aside: the operator has to refund them.
 */
export function projectDeletion(
  projection: BillingProjection,
  snapshot: ProviderSnapshot,
  paid: readonly PaidPeriod[],
  granted: ReadonlySet<string | null>,
): BillingProjection {
  const { subscriptions, failing, quarantine, revocations } = projection;
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
    cancellations: [...subscriptions, ...failing].flatMap(endOf),
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
