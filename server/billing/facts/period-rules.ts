import type { Cycle } from '#contract/billing.ts';
import { DAY_MS, MINUTE_MS } from '#contract/time.ts';

const MONTHS: Record<Cycle, number> = { monthly: 1, annual: 12 };
/** How far a provider's month may end from ours: Feb 28 of an anchor on the 31st may begin a period until Mar 31. */
const SLACK_MS = 4 * DAY_MS;

/** A renewal may be charged so much before its period begins. */
export const EARLY_MS = DAY_MS;
/** Charges of one order for the same thing whose periods begin within this time pay one period, not two. */
export const SAME_PERIOD_MS = 7 * DAY_MS;

/** How long a plan stays usable when its renewal is late: the default of `PAYMENT_GRACE_DAYS`. */
export const GRACE_MS = 3 * DAY_MS;

/** A hosted page that lives no longer than this is not handed out again. */
export const CHECKOUT_MARGIN_MS = 5 * MINUTE_MS;
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

/** True when the period lasts what the cycle sells, give or take the ends of months. */
export function isWholePeriod({ start, end }: Period, cycle: Cycle): boolean {
  return start < end && Math.abs(end - addMonths(start, MONTHS[cycle])) <= SLACK_MS;
}

/**
 * The period that a charge pays whose period the provider does not report: of those counted from `anchor`, when it was bought, the
 * last one that began before it, give or take the hours by which a renewal may be early. A late one pays no longer period.
 */
export function periodOf(paidAt: number, anchor: number, cycle: Cycle): Period {
  const first = Math.min(anchor, paidAt);
  const startOf = (index: number) => addMonths(first, index * MONTHS[cycle]);
  let index = 0;
  while (startOf(index + 1) <= paidAt + EARLY_MS) index += 1;
  return { start: startOf(index), end: startOf(index + 1) };
}

/** Credits to take back in all when `refunded` of `paid` (both gross) was refunded: rounded up, at most all. */
export function refundTarget(credits: number, refunded: number, paid: number): number {
  return Math.min(credits, Math.ceil((credits * refunded) / paid));
}

/** A time of the facts, in epoch milliseconds, as the database takes it. */
export function dateOf(time: number | null): Date | null {
  return time === null ? null : new Date(time);
}
