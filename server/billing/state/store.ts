import type { Cycle, PlanKey, SubscriptionState } from '#contract/billing.ts';
import type { Provider } from '#contract/choices.ts';
import type { Executor } from '#server/platform/database/database.ts';

export interface SubscriptionRow {
  planKey: PlanKey;
  cycle: Cycle;
  provider: Provider;
  state: SubscriptionState;
  active: boolean;
  /** The end of the paid period. */
  expiresAt: Date | null;
  /** When the plan stops being usable unless new facts arrive; null: as `expiresAt`. */
  accessUntil: Date | null;
  updatedAt: Date;
}

export interface NewSubscription extends SubscriptionRow {
  userId: string;
  cancelAtPeriodEnd: boolean;
  currentPeriodStart: Date | null;
}

const columns = (sql: Executor) => sql`
  plan_key as "planKey", cycle, provider, state, active, expires_at as "expiresAt", access_until as "accessUntil",
  updated_at as "updatedAt"`;

/** The subscription of a user, usable or not; null for a user who never had one. */
export async function findSubscription(sql: Executor, userId: string): Promise<SubscriptionRow | null> {
  const [row] = await sql<SubscriptionRow[]>`
    select ${columns(sql)} from subscriptions where user_id = ${userId}`;
  return row ?? null;
}

/** Writes the subscription that is shown; null when it stands there already. */
export async function saveSubscription(tx: Executor, each: NewSubscription): Promise<SubscriptionRow | null> {
  const [row] = await tx<SubscriptionRow[]>`
    insert into subscriptions as s (user_id, plan_key, cycle, provider, state, active, cancel_at_period_end,
                                    current_period_start, expires_at, access_until, updated_at)
    values (${each.userId}, ${each.planKey}, ${each.cycle}, ${each.provider}, ${each.state}, ${each.active},
            ${each.cancelAtPeriodEnd}, ${each.currentPeriodStart}, ${each.expiresAt}, ${each.accessUntil}, ${each.updatedAt})
    on conflict (user_id) do update
      set plan_key = excluded.plan_key, cycle = excluded.cycle, provider = excluded.provider, state = excluded.state,
          active = excluded.active, cancel_at_period_end = excluded.cancel_at_period_end,
          current_period_start = excluded.current_period_start, expires_at = excluded.expires_at,
          access_until = excluded.access_until, updated_at = excluded.updated_at
      where s.* is distinct from excluded.*
    returning ${columns(tx)}`;
  return row ?? null;
}

/** Deletes the subscription where the facts make none. Returns whether there was one. */
export async function deleteSubscription(tx: Executor, userId: string): Promise<boolean> {
  const rows = await tx`delete from subscriptions where user_id = ${userId} returning user_id`;
  return rows.length > 0;
}
