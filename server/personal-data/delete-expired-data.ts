import type { Deps } from '#server/deps.ts';
import { deleteExpiredChunks } from './export-store.ts';
import { CHUNKS_AT_ONCE } from './run-export.ts';
import { deleteExpired, eraseBuyers } from './user-rows-store.ts';

/** Deletes personal data whose time is over; `user-rows-store.ts` says which. */
export async function deleteExpiredData({
  database,
  clock,
}: Pick<Deps, 'database' | 'clock'>): Promise<void> {
  await eraseBuyers(database.sql);
  const at = clock.now();
  while ((await deleteExpiredChunks(database.sql, at, CHUNKS_AT_ONCE)) === CHUNKS_AT_ONCE);
  await deleteExpired(database.sql, at, clock.databaseTime());
}
