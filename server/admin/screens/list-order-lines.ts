import type { OrdersScreen } from '#contract/admin/screens.ts';
import type { OrderCursor } from '#server/billing/orders/list-orders.ts';
import type { Deps } from '#server/deps.ts';
import { moneyOf } from '../billing-records/read-charge.ts';
import { presentOrderLine } from './present-screen.ts';
import { selectOrderLines, selectUncredited } from './screen-store.ts';

const PAGE = 50;
const MAX_UNCREDITED = 200;

/** What does not agree, on the first page, then orders, the newest first. */
export async function listOrderLines(
  { database: { sql } }: Pick<Deps, 'database'>,
  { status, cursor }: { status: string | null; cursor: OrderCursor | null },
): Promise<OrdersScreen> {
  const before = cursor && { at: cursor.createdAt, id: cursor.id };
  const rows = await selectOrderLines(sql, { status, userId: null, before, limit: PAGE + 1 });
  const shown = rows.slice(0, PAGE);
  const last = shown.at(-1);
  const uncredited = cursor === null ? await selectUncredited(sql, MAX_UNCREDITED) : [];
  return {
    uncredited: uncredited.map(({ minor, currency, foundAt, ...charge }) => ({
      ...charge,
      paid: moneyOf(currency, minor),
      foundAt: foundAt.getTime(),
    })),
    orders: shown.map(presentOrderLine),
    nextCursor: last && rows.length > PAGE ? `${last.createdAt.getTime()}_${last.id}` : null,
  };
}
