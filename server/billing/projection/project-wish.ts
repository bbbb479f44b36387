import type { Downgrade } from '#contract/billing.ts';
import { OFFER_MS } from '#contract/plan-rank.ts';
import { DAY_MS } from '#contract/time.ts';
import type { ProjectedSubscription } from './project-subscriptions.ts';

/** How long after the end of the present plan the next one is still offered. */
const LATE_MS = 14 * DAY_MS;

/** A lower plan that follows the present one. Times are epoch milliseconds. */
export interface ProjectedWish extends Downgrade {
  orderId: string;
  /** When it can be paid for. */
  from: number;
  /** When the present plan ends. */
  until: number;
}

/**
 * The wish that still counts. Null without one, once something was bought since, while the subscription that was to end goes on renewing,
 * where what is wished renews already, and two weeks after the end. `endings`: subscriptions (`provider:id`) whose end is wanted.
 */
export function projectWish(
  wish: (Downgrade & { orderId: string; wishedAt: Date }) | null,
  subscriptions: readonly ProjectedSubscription[],
  endings: ReadonlyMap<string, unknown>,
  now: number,
): ProjectedWish | null {
  if (!wish) return null;
  const { planKey, cycle, orderId, wishedAt } = wish;
  const running = subscriptions.find(({ order }) => order.id === orderId);
  const until = running?.paidUntil ?? null;
  if (!running || until === null || running.lastRefunded || running.state === 'disputed') return null;
  const isBought = subscriptions.some(
    ({ order, firstPaidAt }) =>
      order.id !== orderId &&
      firstPaidAt !== null &&
      Math.max(firstPaidAt, order.createdAt.getTime()) > wishedAt.getTime(),
  );
  const isRunning = subscriptions.some(
    (each) =>
      each.firstPaidAt !== null &&
      each.order.planKey === planKey &&
      each.order.cycle === cycle &&
      goesOn(each, endings),
  );
  if (goesOn(running, endings) || isBought || isRunning || now >= until + LATE_MS) return null;
  return { planKey, cycle, orderId, from: until - OFFER_MS, until };
}

/** Whether a subscription renews, and nobody wants its end. */
export function goesOn(
  { provider, subscriptionId, renews }: ProjectedSubscription,
  endings: ReadonlyMap<string, unknown>,
): boolean {
  return renews && !endings.has(`${provider}:${subscriptionId}`);
}
