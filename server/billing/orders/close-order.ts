import { applyFacts } from '../state/apply-facts.ts';
import type { OrderRow } from '../state/order-store.ts';
import type { ProjectDeps } from '../state/project-user.ts';

/**
 * Closes an order that cannot be paid any more: its checkout could not be opened (`failed`) or is over (`expired`). The end
 * is a fact like any other, so that a payment that arrives later opens the order again.
 */
export async function closeOrder(
  deps: ProjectDeps,
  order: OrderRow,
  status: 'failed' | 'expired',
): Promise<void> {
  const { id, provider, productId, userId, checkoutId, createdAt } = order;
  await applyFacts(deps, {
    provider,
    source: 'question',
    facts: [
      {
        kind: 'checkout',
        mode: null,
        orderId: id,
        customerId: null,
        customerEmail: null,
        checkoutId,
        status,
        productId,
        subscriptionId: null,
        userId,
        at: createdAt,
      },
    ],
  });
}
