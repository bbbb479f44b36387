import { checkoutsOf, isRefundedInFull, type ProviderSnapshot } from '../facts/provider-snapshot.ts';
import type { CheckoutStatus } from '../providers/facts.ts';
import type { BillingOrder, PaidPeriod } from './link-orders.ts';
import type { OrdersBySubscription } from './link-subscriptions.ts';
import { mergePeriods, standingOf } from './merge-periods.ts';
import { projectLoss } from './project-loss.ts';
import { orderIdsOf } from './recognise-payment.ts';

export interface ProjectedOrder {
  orderId: string;
  status: 'open' | 'paid' | 'failed' | 'abandoned' | 'refunded' | 'disputed';
  /** The time of its first charge. */
  paidAt: Date | null;
  /** Whether the order is open, but a fact announces a payment. */
  confirming: boolean;
}

/** The state of each order; `refunded` when all that was charged for it was refunded, credited or not. */
export function projectOrders(
  snapshot: ProviderSnapshot,
  orders: readonly BillingOrder[],
  linked: { paid: readonly PaidPeriod[]; bySubscription: OrdersBySubscription },
): ProjectedOrder[] {
  const charges = [...snapshot.payments].flatMap(([key, payment]) =>
    orderIdsOf(payment, linked.bySubscription).map((orderId) => ({
      orderId,
      key,
      paidAt: payment.paidAts[0] ?? null,
    })),
  );
  const byOrder = Map.groupBy(charges, ({ orderId }) => orderId);
  return orders.map((order) => {
    const own = linked.paid.filter((each) => each.order.id === order.id);
    const [first] = own;
    if (!first) return unpaid(snapshot, order, byOrder.get(order.id) ?? []);
    const isRefunded = own.every((each) => projectLoss(snapshot, each).isRefunded);
    const isDisputed = mergePeriods(own).some((group) => standingOf(snapshot, group) === 'disputed');
    const status = isDisputed ? 'disputed' : isRefunded ? 'refunded' : 'paid';
    const paidAt = new Date(Math.min(...own.map((each) => each.paidAt)));
    return { orderId: order.id, status, paidAt, confirming: false };
  });
}

interface UncreditedCharge {
  key: string;
  /** Null: not known. */
  paidAt: number | null;
}

/** The state of an order that none of its charges pays. */
function unpaid(
  snapshot: ProviderSnapshot,
  order: BillingOrder,
  charges: readonly UncreditedCharge[],
): ProjectedOrder {
  if (charges.length > 0 && charges.every(({ key }) => isRefundedInFull(snapshot, key))) {
    const times = charges.map(({ paidAt }) => paidAt ?? order.createdAt.getTime());
    const paidAt = new Date(Math.min(...times));
    return { orderId: order.id, status: 'refunded', paidAt, confirming: false };
  }
  const statuses = checkoutsOf(snapshot, order).flatMap((entry) => entry.statuses);
  const confirming = charges.length > 0 || statuses.includes('completed');
  return { orderId: order.id, status: unpaidStatus(statuses, confirming), paidAt: null, confirming };
}

function unpaidStatus(statuses: readonly CheckoutStatus[], confirming: boolean): ProjectedOrder['status'] {
  if (confirming) return 'open';
  if (statuses.includes('failed')) return 'failed';
  return statuses.includes('abandoned') || statuses.includes('expired') ? 'abandoned' : 'open';
}
