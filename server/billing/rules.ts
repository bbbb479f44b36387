import type { Cycle } from '#contract/billing.ts';

const DAY_MS = 86_400_000;
const MONTHS: Record<Cycle, number> = { monthly: 1, annual: 12 };
/** How far a provider's month may end from ours: Feb 28 of an anchor on the 31st may begin a period until Mar 31. */
const SLACK_MS = 4 * DAY_MS;

/** How long a plan stays usable when its renewal is late (`docs`: money and credits). */
export const GRACE_MS = 3 * DAY_MS;

/** A hosted page that lives no longer than this is not handed out again. */
export const CHECKOUT_MARGIN_MS = 5 * 60_000;
/** How long a hosted page is taken to live where the provider does not say. */
const CHECKOUT_MS = DAY_MS;

/** Until when (epoch milliseconds) an order's hosted page can be paid. */
export function endOfCheckout(order: { createdAt: Date; checkoutExpiresAt: Date | null }): number {
  return order.checkoutExpiresAt?.getTime() ?? order.createdAt.getTime() + CHECKOUT_MS;
}

/** Half-open, [start, end), epoch milliseconds. */
export interface Period {
  start: number;
  end: number;
}

/** The same day and time `months` later in UTC; the last day of the month where it is too short. */
export function addMonths(anchor: number, months: number): number {
  const start = new Date(anchor);
  const first = new Date(anchor);
  first.setUTCDate(1);
  first.setUTCMonth(start.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return first.setUTCDate(Math.min(start.getUTCDate(), lastDay));
}

/** Does the period last what the cycle sells, give or take the ends of months. */
export function isWholePeriod({ start, end }: Period, cycle: Cycle): boolean {
  return start < end && Math.abs(end - addMonths(start, MONTHS[cycle])) <= SLACK_MS;
}

/** The period of a charge whose period the provider does not tell, counted from the day the subscription began. */
export function periodOf(paidAt: number, anchor: number, cycle: Cycle): Period {
  const first = new Date(Math.min(anchor, paidAt));
  const paid = new Date(paidAt);
  const years = paid.getUTCFullYear() - first.getUTCFullYear();
  const passed = years * 12 + paid.getUTCMonth() - first.getUTCMonth();
  return { start: paidAt, end: addMonths(first.getTime(), passed + MONTHS[cycle]) };
}

/** Credits to take back in all when `refunded` of `paid` (both gross) was given back: rounded up, at most all. */
export function refundTarget(credits: number, refunded: number, paid: number): number {
  return Math.min(credits, Math.ceil((credits * refunded) / paid));
}
