import { z } from 'zod';
import type { OrderPage } from '#contract/billing.ts';
import { LATEST_MS } from '#contract/limits.ts';
import type { Deps } from '#server/deps.ts';
import { selectOrders } from '../state/order-store.ts';
import { presentOrder } from '../state/present-order.ts';

/** Where a page of orders begins: after this one. */
export interface OrderCursor {
  createdAt: Date;
  id: string;
}

/** How a page says where the next one begins. */
export const orderCursorSchema = z
  .string()
  .regex(/^\d{1,15}_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  .transform((text): OrderCursor => {
    const [time = '', id = ''] = text.split('_');
    return { createdAt: new Date(Number(time)), id };
  })
  .refine(({ createdAt }) => createdAt.getTime() <= LATEST_MS);

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
