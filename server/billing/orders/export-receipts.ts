import type { Receipt } from '#contract/billing.ts';
import type { Deps } from '#server/deps.ts';
import { presentCharge } from '../projection/present-charge.ts';
import { presentOrder } from '../state/present-order.ts';
import { readBilling } from '../state/read-billing.ts';

/** All orders of a user with their charges, oldest first, as far as they are known; no provider is asked. */
export async function exportReceipts(
  deps: Pick<Deps, 'database' | 'clock' | 'config' | 'providers'>,
  userId: string,
): Promise<Receipt[]> {
  const { snapshot, orders, paid } = await readBilling(deps, userId);
  return orders.map((order) => ({
    order: presentOrder(order),
    charges: paid.filter((each) => each.order.id === order.id).map((each) => presentCharge(snapshot, each)),
  }));
}
