import { setTimeout as sleep } from 'node:timers/promises';
import type { Provider } from '#contract/choices.ts';
import type { Deps } from '#server/deps.ts';
import { takeRateLimit } from '#server/platform/database/rate-limit.ts';
import { matchPayments } from '../facts/match-payments.ts';
import type { OrderQuery } from '../providers/provider.ts';
import { applyFacts } from '../state/apply-facts.ts';
import type { OrderRow } from '../state/order-store.ts';
import type { ProjectDeps } from '../state/project-user.ts';

const ONCE = { max: 1, windowSeconds: 3 };
/** Questions about single orders and subscriptions that a provider is asked, over all processes. */
const QUESTIONS = { max: 240, windowSeconds: 60 };

export type ConfirmDeps = ProjectDeps & Pick<Deps, 'providers' | 'log'>;

/**
 * Asks the provider what became of an order, and applies its answer. At most once every 3 seconds for an order, over all
 * callers. Returns whether it answered now; a provider that fails is logged only.
 */
export async function confirmOrder(deps: ConfirmDeps, order: OrderRow): Promise<boolean> {
  const provider = deps.providers[order.provider];
  if (!provider) return false;
  const at = deps.clock.databaseTime();
  if ((await takeRateLimit(deps.database.sql, `confirm:${order.id}`, ONCE, at)) > 0) return false;
  if (!(await mayAsk(deps, provider.name))) return false;
  try {
    const { name } = provider;
    const facts = await provider.fetchOrder(orderQueryOf(order));
    await applyFacts(deps, {
      provider: name,
      facts: await matchPayments(deps, name, facts),
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

/** True when the provider may be asked one more thing now; false when it was asked 240 times within a minute. */
export async function mayAsk(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  provider: Provider,
): Promise<boolean> {
  return (await takeRateLimit(database.sql, `questions:${provider}`, QUESTIONS, clock.databaseTime())) === 0;
}

/** What identifies an order at its provider; the address is the one that its checkout was given. */
export function orderQueryOf(order: OrderRow): OrderQuery {
  const { id, checkoutId, productId, buyerEmail, priceMinor, currency, createdAt } = order;
  return { orderId: id, checkoutId, productId, userEmail: buyerEmail, priceMinor, currency, createdAt };
}

/** `confirmOrder`, for a caller who waits `timeoutMs` at most; the rest goes on without them. */
export async function confirmInTime(deps: ConfirmDeps, order: OrderRow, timeoutMs: number): Promise<void> {
  await Promise.race([confirmOrder(deps, order), sleep(timeoutMs, undefined, { ref: false })]);
}
