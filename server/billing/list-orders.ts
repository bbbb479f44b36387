import type { OrderPage } from '#contract/billing.ts';
import type { Deps } from '#server/deps.ts';
import { selectOrders } from './order-store.ts';
import { presentOrder } from './present-order.ts';

/** Where a page of orders begins: after this one. */
export interface OrderCursor {
  createdAt: Date;
  id: string;
}

/** A page of the user's orders, newest first; `limit` at least 1. */
export async function listOrders(
  { database }: Pick<Deps, 'database'>,
  userId: string,
  page: { cursor: OrderCursor | null; limit: number },
): Promise<OrderPage> {
  const rows = await selectOrders(database.sql, userId, page.cursor, page.limit + 1);
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  return {
    orders: shown.map(presentOrder),
    nextCursor: last && rows.length > page.limit ? `${last.createdAt.getTime()}_${last.id}` : null,
  };
}
