import { listGrants } from '#server/credits/grant-credits.ts';
import type { Executor } from '#server/platform/database/database.ts';

/** One grant, by what a life calls its order. */
interface Bucket {
  order: string;
  expiresAt: Date;
  amount: number;
  /** What is to be taken back of it in all. */
  revokeTarget: number;
}

export const dayOf = (time: number | Date) => new Date(time).toISOString().slice(0, 10);

/** What is left of what was granted for each period, as a life's end says it. A period that was taken back and granted anew counts once. */
export function linesOf(buckets: readonly Bucket[]): string[] {
  const periods = new Map<string, { left: number; granted: number }>();
  for (const { order, expiresAt, amount, revokeTarget } of buckets) {
    const period = `${order} ${dayOf(expiresAt)}`;
    const { left, granted } = periods.get(period) ?? { left: 0, granted: 0 };
    periods.set(period, { left: left + amount - revokeTarget, granted: Math.max(granted, amount) });
  }
  return [...periods].map(([period, { left, granted }]) => `${period} ${left}/${granted}`).sort();
}

/** The lines of a user's paid periods in the tables. */
export async function readCredits(
  sql: Executor,
  userId: string,
  names: ReadonlyMap<string, string>,
): Promise<string[]> {
  const grants = await listGrants(sql, userId);
  return linesOf(grants.map((each) => ({ ...each, order: names.get(each.orderId ?? '') ?? 'nobody' })));
}
