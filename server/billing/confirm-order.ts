import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '#server/deps.ts';
import { takeRateLimit } from '#server/platform/rate-limit.ts';
import { applyFacts } from './apply-facts.ts';
import { claimPayments } from './claim-payments.ts';
import { findEmail, type OrderRow } from './order-store.ts';
import type { ProjectDeps } from './project-user.ts';

const ONCE = { max: 1, windowSeconds: 3 };

export type ConfirmDeps = ProjectDeps & Pick<Deps, 'providers' | 'log'>;

/**
 * Asks the provider what became of an order, and takes over what it tells. At most once every 3 seconds for an order, whoever
 * asks. Returns whether it answered now; a provider that fails is logged only.
 */
export async function confirmOrder(deps: ConfirmDeps, order: OrderRow): Promise<boolean> {
  const provider = deps.providers[order.provider];
  if (!provider) return false;
  if ((await takeRateLimit(deps.database.sql, `confirm:${order.id}`, ONCE, deps.clock.databaseTime())) > 0)
    return false;
  try {
    const { id, provider: name, checkoutId, productId, priceMinor, currency, createdAt } = order;
    const userEmail = await findEmail(deps.database.sql, order.userId);
    const query = { orderId: id, checkoutId, productId, userEmail, priceMinor, currency, createdAt };
    const told = await provider.fetchOrder(query);
    await applyFacts(deps, {
      provider: name,
      facts: await claimPayments(deps, name, told),
      source: 'question',
    });
    return true;
  } catch (error) {
    deps.log.warn(
      { err: error, orderId: order.id, provider: order.provider },
      'asking about an order failed',
    );
    return false;
  }
}

/** `confirmOrder`, for a caller who waits `patienceMs` at most; the rest goes on without them. */
export async function confirmInTime(deps: ConfirmDeps, order: OrderRow, patienceMs: number): Promise<void> {
  await Promise.race([confirmOrder(deps, order), sleep(patienceMs, undefined, { ref: false })]);
}
