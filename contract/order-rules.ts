import type { Downgrade, Order, PlanKey } from './billing.ts';

export type { Receipt } from './billing.ts';

/** What people call an order by, on its receipt, in mails and to support: the end of its id, which no other order has. */
export function orderNumber({ id }: Pick<Order, 'id'>): string {
  return id
    .slice(-12)
    .toUpperCase()
    .replace(/(.{4})(?!$)/g, '$1-');
}

const RANK: Record<PlanKey, number> = { gemini_basic: 1, gemini_pro: 2 };

/** True when `to` is less than `from`: a lower plan, or the same one by the month instead of by the year. */
export function isDowngrade(from: Downgrade, to: Downgrade): boolean {
  if (from.planKey !== to.planKey) return RANK[to.planKey] < RANK[from.planKey];
  return from.cycle === 'annual' && to.cycle === 'monthly';
}
