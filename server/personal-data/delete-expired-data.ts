import type { Deps } from '#server/deps.ts';
import { deleteExpired, eraseBuyers } from './user-rows-store.ts';

/** Deletes personal data whose time is over; `user-rows-store.ts` says which. */
export async function deleteExpiredData({
  database,
  clock,
}: Pick<Deps, 'database' | 'clock'>): Promise<void> {
  await eraseBuyers(database.sql);
  await deleteExpired(database.sql, clock.now());
}
