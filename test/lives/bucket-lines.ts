import type { Executor } from '#server/platform/database.ts';

/** One grant, by what a life calls its order. */
interface Bucket {
  order: string;
  expiresAt: number;
  amount: number;
  /** What is to be taken back of it in all. */
  target: number;
}

export const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** What is left of what was granted for each period, as a life's end says it. A period that was taken back and granted anew counts once. */
export function linesOf(buckets: readonly Bucket[]): string[] {
  const periods = new Map<string, { left: number; granted: number }>();
  for (const { order, expiresAt, amount, target } of buckets) {
    const period = `${order} ${dayOf(expiresAt)}`;
    const { left, granted } = periods.get(period) ?? { left: 0, granted: 0 };
    periods.set(period, { left: left + amount - target, granted: Math.max(granted, amount) });
  }
  return [...periods].map(([period, { left, granted }]) => `${period} ${left}/${granted}`).sort();
}

/** The lines of a user's paid periods in the tables. */
export async function readCredits(
  sql: Executor,
  userId: string,
  names: ReadonlyMap<string, string>,
): Promise<string[]> {
  const rows = await sql<{ orderId: string; expiresAt: Date; amount: number; target: number }[]>`
    select order_id as "orderId", expires_at as "expiresAt", amount, revoke_target as target
      from credit.bucket where user_id = ${userId} and kind = 'subscription'`;
  return linesOf(
    rows.map(({ orderId, expiresAt, ...row }) => ({
      ...row,
      order: names.get(orderId) ?? orderId,
      expiresAt: expiresAt.getTime(),
    })),
  );
}
