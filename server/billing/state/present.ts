import type { Subscription } from '#contract/billing.ts';
import { planOf } from '#server/catalogue/rules.ts';
import type { SubscriptionRow } from './store.ts';

/**
 * The subscription as the specification names it, section 3, at `now`; an expired one is presented like any other. Within the
 * grace it expires when the grace ends.
 */
export function presentSubscription(row: SubscriptionRow, now: Date): Subscription {
  const isLate = row.active && row.expiresAt !== null && row.expiresAt <= now;
  const expiresAt = isLate ? (row.accessUntil ?? row.expiresAt) : row.expiresAt;
  return {
    planKey: row.planKey,
    active: row.active,
    cycle: row.cycle,
    provider: row.provider,
    includesComputerUse: planOf(row.planKey).includesComputerUse,
    expiresAt: expiresAt?.getTime() ?? null,
    updatedAt: row.updatedAt.getTime(),
  };
}
