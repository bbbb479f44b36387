import type { Usage } from '#contract/keys.ts';
import type { Deps } from '#server/deps.ts';
import { selectUsage } from './store.ts';

/** What the user's API requests came to between two days in UTC, both included, by day, model and key. */
export async function readUsage(
  { database }: Pick<Deps, 'database'>,
  userId: string,
  days: { from: string; to: string },
): Promise<Usage> {
  return { ...days, rows: await selectUsage(database.sql, userId, days) };
}
