import type { Downgrade } from '#contract/billing.ts';
import type { Executor } from '#server/platform/database/database.ts';

/** A lower plan that a user wants when what runs ends. */
export interface PlanWishRow extends Downgrade {
  /** The order whose subscription ends for it. */
  orderId: string;
  wishedAt: Date;
}

/** Notes what the user wants; the last wish counts. */
export async function saveWish(tx: Executor, userId: string, wish: PlanWishRow): Promise<void> {
  const { planKey, cycle, orderId, wishedAt } = wish;
  await tx`
    insert into billing.plan_wishes (user_id, plan_key, cycle, order_id, wished_at)
    values (${userId}, ${planKey}, ${cycle}, ${orderId}, ${wishedAt})
    on conflict (user_id) do update set plan_key = excluded.plan_key, cycle = excluded.cycle, order_id = excluded.order_id,
                                        wished_at = excluded.wished_at`;
}

export async function findWish(sql: Executor, userId: string): Promise<PlanWishRow | null> {
  const [row] = await sql<PlanWishRow[]>`
    select plan_key as "planKey", cycle, order_id as "orderId", wished_at as "wishedAt"
      from billing.plan_wishes where user_id = ${userId}`;
  return row ?? null;
}

/** Deletes what the user wants. */
export async function deleteWish(sql: Executor, userId: string): Promise<void> {
  await sql`delete from billing.plan_wishes where user_id = ${userId}`;
}

/** The same of what was to follow one of these orders. */
export async function deleteWishAfter(
  tx: Executor,
  userId: string,
  orderIds: readonly string[],
): Promise<void> {
  await tx`delete from billing.plan_wishes where user_id = ${userId} and order_id = any(${[...orderIds]}::uuid[])`;
}
