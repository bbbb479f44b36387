import type { Downgrade, PlanKey } from './billing.ts';

const RANK: Record<PlanKey, number> = { gemini_basic: 1, gemini_pro: 2 };

/** True when `to` is less than `from`: a lower plan, or the same one by the month instead of by the year. */
export function isDowngrade(from: Downgrade, to: Downgrade): boolean {
  if (from.planKey !== to.planKey) return RANK[to.planKey] < RANK[from.planKey];
  return from.cycle === 'annual' && to.cycle === 'monthly';
}
