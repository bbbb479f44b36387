import type { Cycle, PlanKey, Provider } from '#contract/billing.ts';
import type { Executor } from '#server/platform/database.ts';

export interface SubscriptionRow {
  planKey: PlanKey;
  cycle: Cycle;
  provider: Provider;
  active: boolean;
  expiresAt: Date | null;
  updatedAt: Date;
}

/** The subscription of a user, usable or not; null for somebody who never had one. */
export async function findSubscription(sql: Executor, userId: string): Promise<SubscriptionRow | null> {
  const [row] = await sql<SubscriptionRow[]>`
    select plan_key as "planKey", cycle, provider, active, expires_at as "expiresAt", updated_at as "updatedAt"
      from subscriptions where user_id = ${userId}`;
  return row ?? null;
}
