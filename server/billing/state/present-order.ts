import type { Order } from '#contract/billing.ts';
import type { OrderRow } from './order-store.ts';

/** An order as its owner sees it. */
export function presentOrder(order: OrderRow): Order {
  return {
    id: order.id,
    planKey: order.planKey,
    cycle: order.cycle,
    provider: order.provider,
    priceUSD: order.priceMinor / 100,
    credits: order.credits,
    status: order.status,
    createdAt: order.createdAt.getTime(),
    paidAt: order.paidAt?.getTime() ?? null,
    confirming: order.confirming,
    uncredited: order.uncredited,
  };
}
