import type { Downgrade } from '#contract/billing.ts';
import { DAY_MS } from '#contract/time.ts';
import type { ProjectedSubscription } from './project-subscriptions.ts';

/** So long before what runs ends, the next plan can be paid for. */
export const OFFER_MS = 3 * DAY_MS;
/** So long after it ended, it is still offered. */
const LATE_MS = 14 * DAY_MS;

/** A lower plan that follows what runs. Times are epoch milliseconds. */
export interface ProjectedWish extends Downgrade {
  orderId: string;
  /** It can be paid for from then on. */
  from: number;
  /** When what runs ends. */
  until: number;
}

/**
 * What is left of a wish: null without one, once something was bought since, while what was to end goes on renewing, and two weeks
 * after it ended. `endings`: subscriptions (`provider:id`) whose end is wanted.
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
  const goesOn = running.renews && !endings.has(`${running.provider}:${running.subscriptionId}`);
  const isBought = subscriptions.some(
    ({ order, firstPaidAt }) => firstPaidAt !== null && order.createdAt.getTime() > wishedAt.getTime(),
  );
  if (goesOn || isBought || now >= until + LATE_MS) return null;
  return { planKey, cycle, orderId, from: until - OFFER_MS, until };
}
