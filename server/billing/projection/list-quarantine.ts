import { checkoutsOf, type ProviderSnapshot } from '../facts/provider-snapshot.ts';
import type { BillingOrder, PaidPeriod, Quarantined } from './link-orders.ts';
import type { ProjectedSubscription } from './project-subscriptions.ts';

/** The facts that an operator should look at, apart from payments that pay no order; sorted, so that equal snapshots give equal lists. */
export function listQuarantine(
  snapshot: ProviderSnapshot,
  orders: readonly BillingOrder[],
  found: {
    unpaying: readonly Quarantined[];
    twice: readonly PaidPeriod[];
    paid: readonly PaidPeriod[];
    subscriptions: readonly ProjectedSubscription[];
  },
): Quarantined[] {
  const all = [
    ...found.unpaying,
    ...[...snapshot.unrecognised.values()].map(
      (entry): Quarantined => ({ ...entry, orderId: null, charge: null }),
    ),
    ...unknownStatuses(snapshot),
    ...found.twice.map((each) => ({
      ...oddity(each.order, each.transactionId, 'paid_twice'),
      charge: 'not_granted' as const,
    })),
    ...found.subscriptions
      .filter(({ paidUntil, subscriptionId }) => paidUntil !== null && subscriptionId === null)
      .map(({ order }) => oddity(order, order.id, 'unlinked')),
    ...orders
      .filter((order) => isPossiblyDisputed(snapshot, order, found.paid))
      .map((order) => oddity(order, order.checkoutId ?? order.id, 'possible_dispute')),
  ];
  return all.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function unknownStatuses(snapshot: ProviderSnapshot): Quarantined[] {
  return [...snapshot.subscriptions.values()]
    .filter(({ hasUnknownStatus }) => hasUnknownStatus)
    .map(({ provider, subscriptionId }) => ({
      provider,
      subject: subscriptionId,
      orderId: null,
      reason: 'unknown_status',
      charge: null,
    }));
}

/** BagelPay reports a dispute as a checkout that is abandoned after it was paid. So does a second tab that is closed. */
function isPossiblyDisputed(
  snapshot: ProviderSnapshot,
  order: BillingOrder,
  paid: readonly PaidPeriod[],
): boolean {
  const first = paid.find((each) => each.order.id === order.id);
  if (!first) return false;
  return checkoutsOf(snapshot, order).some(({ abandonedAt }) => (abandonedAt ?? 0) > first.paidAt);
}

function oddity(order: BillingOrder, subject: string, reason: Quarantined['reason']): Quarantined {
  return { provider: order.provider, subject, orderId: order.id, reason, charge: null };
}

function keyOf({ provider, subject, reason, orderId }: Quarantined): string {
  return `${provider}:${subject}:${reason}:${orderId}`;
}
