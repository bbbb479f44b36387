import type { Receipt } from '#contract/billing.ts';
import type { Deps } from '#server/deps.ts';
import { presentOrder } from '../state/present-order.ts';
import { readBilling } from '../state/read-billing.ts';
import { presentCharges } from './present-charges.ts';

/**
 * All orders of a user, oldest first, each with its charges as far as they are known, and the address that its provider was given; no
 * provider is asked.
 */
export async function exportReceipts(
  deps: Pick<Deps, 'database' | 'clock' | 'config' | 'providers'>,
  userId: string,
): Promise<(Receipt & { buyerEmail: string | null })[]> {
  const billing = await readBilling(deps, userId);
  return billing.orders.map((order) => ({
    order: presentOrder(order),
    buyerEmail: order.buyerEmail,
    charges: presentCharges(billing, order.id),
  }));
}
