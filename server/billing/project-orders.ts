import type { FactBook } from './fact-book.ts';
import { type BillingOrder, checkoutsOf, type PaidPeriod } from './link-orders.ts';

export interface ProjectedOrder {
  orderId: string;
  status: 'open' | 'paid' | 'failed' | 'abandoned' | 'refunded' | 'disputed';
  /** Of its first charge. */
  paidAt: Date | null;
}

/** Where each order stands; `refunded` when all that was charged for it was given back. */
export function projectOrders(
  book: FactBook,
  orders: readonly BillingOrder[],
  paid: readonly PaidPeriod[],
): ProjectedOrder[] {
  return orders.map((order) => {
    const own = paid.filter((each) => each.order === order);
    const [first] = own;
    if (!first) return { orderId: order.id, status: unpaidStatus(book, order), paidAt: null };
    const isRefunded = own.every(
      ({ paymentKey, amount }) => (book.refunds.get(paymentKey)?.refunded ?? 0) >= amount,
    );
    const isDisputed = own.some(({ paymentKey }) => book.disputes.has(paymentKey));
    const status = isDisputed ? 'disputed' : isRefunded ? 'refunded' : 'paid';
    return { orderId: order.id, status, paidAt: new Date(Math.min(...own.map(({ paidAt }) => paidAt))) };
  });
}

function unpaidStatus(book: FactBook, order: BillingOrder): ProjectedOrder['status'] {
  const statuses = checkoutsOf(book, order).flatMap((entry) => entry.statuses);
  if (statuses.includes('completed')) return 'open';
  if (statuses.includes('failed')) return 'failed';
  return statuses.includes('abandoned') || statuses.includes('expired') ? 'abandoned' : 'open';
}
