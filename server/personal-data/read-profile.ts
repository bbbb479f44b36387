import { readUserRecord } from '#server/accounts/users/read-user-record.ts';
import { readSubscription } from '#server/billing/state/read-subscription.ts';
import { readBalance } from '#server/credits/read-balance.ts';
import type { Deps } from '#server/deps.ts';
import { selectWaysIn } from './export-store.ts';

/** The user record and the ways in to the account, as they are exported. Throws as `readUserRecord` does. */
export async function readProfile(
  deps: Pick<Deps, 'database' | 'clock' | 'config' | 'providers'>,
  userId: string,
) {
  const record = await readUserRecord(deps, userId, {
    readBalance: (id) => readBalance(deps, id),
    readSubscription: (id) => readSubscription(deps, id),
  });
  return { ...record, signsInBy: await selectWaysIn(deps.database.sql, userId) };
}
