import type { Downgrade, PlanKey } from './billing.ts';
import { DAY_MS, MINUTE_MS } from './time.ts';

/** How long before the end of the present plan a lower one that follows can be paid for. */
export const OFFER_MS = 3 * DAY_MS;

/** What seems to be paid is credited within this time; then it may be bought again. */
export const CONFIRMING_MS = 10 * MINUTE_MS;

const RANK: Record<PlanKey, number> = { gemini_basic: 1, gemini_pro: 2 };

/** True when `to` is less than `from`: a lower plan, or the same one by the month instead of by the year. */
export function isDowngrade(from: Downgrade, to: Downgrade): boolean {
  if (from.planKey !== to.planKey) return RANK[to.planKey] < RANK[from.planKey];
  return from.cycle === 'annual' && to.cycle === 'monthly';
}
