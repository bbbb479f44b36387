import type { Spending } from '#contract/credits.ts';
import { DAY_MS } from '#contract/time.ts';
import type { Deps } from '#server/deps.ts';
import { selectSpending } from './store.ts';

const DAYS = 31;

/** What a user's messages took in the last weeks, in pieces that fit together to days in every time zone. */
export async function readSpending(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  userId: string,
): Promise<Spending> {
  const from = new Date(clock.now().getTime() - DAYS * DAY_MS);
  const quarters = await selectSpending(database.sql, userId, from);
  return {
    from: from.getTime(),
    quarters: quarters.map(({ at, credits }) => ({ at: at.getTime(), credits })),
  };
}
