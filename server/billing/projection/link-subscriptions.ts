import { ownIds } from '../facts/external-ref-rules.ts';
import { checkoutsOf, type PaymentEntry, type ProviderSnapshot } from '../facts/provider-snapshot.ts';
import type { BillingOrder } from './link-orders.ts';

/** The orders that each subscription (`provider:id`) belongs to: one, unless the provider contradicts itself. */
export type OrdersBySubscription = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The orders of each subscription, as its checkout or the subscription itself reports. Where neither does, it belongs to the order of the
 * first charge that names both: that charge began it.
 */
export function linkSubscriptions(
  snapshot: ProviderSnapshot,
  orders: readonly BillingOrder[],
): OrdersBySubscription {
  const bound = new Map<string, Set<string>>();
  const bind = (key: string, orderId: string) => bound.set(key, (bound.get(key) ?? new Set()).add(orderId));
  for (const order of orders)
    for (const { subscriptionIds } of checkoutsOf(snapshot, order))
      for (const id of subscriptionIds) bind(`${order.provider}:${id}`, order.id);
  for (const [key, { orderIds }] of snapshot.subscriptions)
    for (const orderId of ownIds(orderIds)) bind(key, orderId);
  const named = new Set(bound.keys());
  for (const { provider, subscriptionIds, orderIds, matchedOrderIds } of [...snapshot.payments.values()].sort(
    isEarlier,
  ))
    for (const id of subscriptionIds)
      for (const orderId of [...ownIds(orderIds), ...matchedOrderIds].slice(0, 1)) {
        const key = `${provider}:${id}`;
        if (!named.has(key) && !bound.has(key)) bind(key, orderId);
      }
  return bound;
}

function isEarlier(left: PaymentEntry, right: PaymentEntry): number {
  return firstOf(left) - firstOf(right) || (left.transactionId < right.transactionId ? -1 : 1);
}

function firstOf({ paidAts, periods }: PaymentEntry): number {
  return Math.min(...paidAts, ...periods.map(({ start }) => start), Number.MAX_SAFE_INTEGER);
}
