import { setTimeout as sleep } from 'node:timers/promises';
import type { Provider } from '#contract/choices.ts';
import type { Deps } from '#server/deps.ts';
import { type RateLimit, takeRateLimit } from '#server/platform/database/rate-limit.ts';
import { matchPayments } from '../facts/match-payments.ts';
import type { OrderQuery } from '../providers/provider.ts';
import { applyFacts } from '../state/apply-facts.ts';
import type { OrderRow } from '../state/order-store.ts';
import type { ProjectDeps } from '../state/project-user.ts';

const ONCE = { max: 1, windowSeconds: 3 };
/** Questions that come from one user's own clicks and pages; what is left over is asked by the jobs. */
const OWN_QUESTIONS = { max: 40, windowSeconds: 60 };
/** The same of all users together: half of what a provider is asked, so that users leave the rest to the jobs. */
const USERS_QUESTIONS = { max: 120, windowSeconds: 60 };
/** Questions about single orders and subscriptions that a provider is asked, over all processes. */
const QUESTIONS = { max: 240, windowSeconds: 60 };

export type ConfirmDeps = ProjectDeps & Pick<Deps, 'providers' | 'log'>;

/**
 * Asks the provider what became of an order, and applies its answer. At most once every 3 seconds for an order, over all
 * callers. Returns whether it answered now; a provider that fails is logged only.
 */
export async function confirmOrder(deps: ConfirmDeps, order: OrderRow): Promise<boolean> {
  return (await isDue(deps, order)) && (await askAbout(deps, order));
}

/**
 * `confirmOrder` for the order's own user, who waits `timeoutMs` at most; the rest goes on without them. One user asks 40 times a
 * minute at most and all users 120 times, so that neither uses up what the jobs may ask.
 */
export async function confirmInTime(deps: ConfirmDeps, order: OrderRow, timeoutMs: number): Promise<void> {
  const confirmed = async () =>
    (await isDue(deps, order)) &&
    (await isWithin(deps, `questions:${order.userId}`, OWN_QUESTIONS)) &&
    (await isWithin(deps, `users-questions:${order.provider}`, USERS_QUESTIONS)) &&
    (await askAbout(deps, order));
  await Promise.race([confirmed(), sleep(timeoutMs, undefined, { ref: false })]);
}

const isDue = (deps: ConfirmDeps, order: OrderRow) => isWithin(deps, `confirm:${order.id}`, ONCE);

async function isWithin(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  key: string,
  limit: RateLimit,
): Promise<boolean> {
  return (await takeRateLimit(database.sql, key, limit, clock.databaseTime())) === 0;
}

async function askAbout(deps: ConfirmDeps, order: OrderRow): Promise<boolean> {
  const provider = deps.providers[order.provider];
  if (!provider || !(await mayAsk(deps, provider.name))) return false;
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
export function mayAsk(deps: Pick<Deps, 'database' | 'clock'>, provider: Provider): Promise<boolean> {
  return isWithin(deps, `questions:${provider}`, QUESTIONS);
}

/** What identifies an order at its provider; the address is the one that its checkout was given. */
export function orderQueryOf(order: OrderRow): OrderQuery {
  const { id, checkoutId, productId, buyerEmail, priceMinor, currency, createdAt } = order;
  return { orderId: id, checkoutId, productId, userEmail: buyerEmail, priceMinor, currency, createdAt };
}
