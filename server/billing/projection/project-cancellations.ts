import type { Provider } from '#contract/choices.ts';
import { DAY_MS } from '#contract/time.ts';
import { isLive, type ProjectedSubscription } from './project-subscriptions.ts';

/** A subscription that must not be charged again. A provider without `period_end` may end it at once: what is paid stays. */
export interface WantedCancellation {
  provider: Provider;
  subscriptionId: string;
  orderId: string;
  when: 'now' | 'period_end';
  reason: 'replaced' | 'refunded' | 'disputed' | 'left';
}

/**
 * The subscriptions to cancel at their providers: disputed or refunded ones at once; at the end of the period those that a later purchase
 * replaced, up or down, failing ones too, and those bought while nothing is sold (`blocked` orders). Empty once the providers report that
 * it was done.
 */
export function projectCancellations(
  subscriptions: readonly ProjectedSubscription[],
  now: number,
  blocked: ReadonlySet<string>,
): WantedCancellation[] {
  const newest = newestOf(subscriptions, now);
  return subscriptions.flatMap((each) => {
    const { provider, subscriptionId, order, renews } = each;
    if (subscriptionId === null || !renews) return [];
    const wanted = { provider, subscriptionId, orderId: order.id };
    if (blocked.has(order.id)) return { ...wanted, when: 'period_end', reason: 'disputed' };
    const why = reasonFor(each, newest);
    return why ? { ...wanted, ...why } : [];
  });
}

/** Whether a later purchase that is still usable took the place of this one. */
export function isReplaced(
  each: ProjectedSubscription,
  subscriptions: readonly ProjectedSubscription[],
  now: number,
): boolean {
  const newest = newestOf(subscriptions, now);
  return newest !== null && isNewer(newest, each);
}

/** Whether it was paid for and nothing was bought after it, usable or not: its first charge may be known later than that of another. */
export function isLastPurchase(
  each: ProjectedSubscription,
  subscriptions: readonly ProjectedSubscription[],
): boolean {
  return (
    each.paidUntil !== null &&
    !subscriptions.some((other) => other.paidUntil !== null && isNewer(other, each))
  );
}

function newestOf(
  subscriptions: readonly ProjectedSubscription[],
  now: number,
): ProjectedSubscription | null {
  return subscriptions
    .filter((each) => isLive(each, now))
    .reduce<ProjectedSubscription | null>((best, each) => (best && !isNewer(each, best) ? best : each), null);
}

function reasonFor(
  each: ProjectedSubscription,
  newest: ProjectedSubscription | null,
): Pick<WantedCancellation, 'when' | 'reason'> | null {
  const { paidUntil, setAside, isFailing } = each;
  if (each.state === 'disputed' || setAside === 'disputed') return { when: 'now', reason: 'disputed' };
  if (each.lastRefunded || setAside === 'refunded') return { when: 'now', reason: 'refunded' };
  // Its first charge may still come, and be the later purchase. Of a failing one its provider is asked before it is cancelled.
  if (paidUntil === null && setAside === null && !isFailing) return null;
  if (newest && isNewer(newest, each)) return { when: 'period_end', reason: 'replaced' };
  return null;
}

/** Longer than any hosted checkout stays open. */
const CHECKOUT_LIFE_MS = 3 * DAY_MS;

/**
 * The second of the purchase: some providers report times to the second, and of one charge in both ways. A first known charge long after
 * its order is a renewal, whose first charge is not known yet.
 */
function boughtAt({ firstPaidAt, order }: ProjectedSubscription): number {
  const orderedAt = order.createdAt.getTime();
  const isFirst = firstPaidAt !== null && firstPaidAt < orderedAt + CHECKOUT_LIFE_MS;
  return Math.floor((isFirst ? firstPaidAt : orderedAt) / 1000);
}

/** Compares two by the time of purchase. */
function isNewer(left: ProjectedSubscription, right: ProjectedSubscription): boolean {
  const order =
    boughtAt(left) - boughtAt(right) || left.order.createdAt.getTime() - right.order.createdAt.getTime();
  return order === 0 ? keyOf(left) > keyOf(right) : order > 0;
}

function keyOf({ provider, order, subscriptionId }: ProjectedSubscription): string {
  return `${provider}:${order.id}:${subscriptionId}`;
}
