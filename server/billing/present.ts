import type { Subscription } from '#contract/billing.ts';
import { planOf } from '#server/catalogue/rules.ts';
import type { SubscriptionRow } from './store.ts';

/** The subscription as the specification names it, section 3; an expired one is presented like any other. */
export function presentSubscription(row: SubscriptionRow): Subscription {
  return {
    planKey: row.planKey,
    active: row.active,
    cycle: row.cycle,
    provider: row.provider,
    includesComputerUse: planOf(row.planKey).includesComputerUse,
    expiresAt: row.expiresAt?.getTime() ?? null,
    updatedAt: row.updatedAt.getTime(),
  };
}
