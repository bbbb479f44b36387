import type { Deps } from '#server/deps.ts';
import { expireBuckets } from './store.ts';

const BATCH = 100;
const MAX_BATCHES = 100;

/**
 * Books the expiry of buckets that are over, so that it shows in ledgers that no request reads. Only bookkeeping: every operation on an
 * account does the same first. Safe on several processes at once. Returns the users concerned with their balances.
 */
export async function closeExpiredBuckets(
  deps: Pick<Deps, 'database' | 'clock'>,
): Promise<{ userId: string; balance: number }[]> {
  const closed: { userId: string; balance: number }[] = [];
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const users = await expireBuckets(deps.database.sql, BATCH, deps.clock.databaseTime());
    if (users.length === 0) break;
    closed.push(...users);
  }
  return closed;
}
