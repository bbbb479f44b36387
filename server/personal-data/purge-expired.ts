import type { Deps } from '#server/deps.ts';
import { deleteExpired, eraseBuyers } from './erasure-store.ts';

/** Erases what may no longer be kept: buyers in late news of deleted accounts, exports and hashes of addresses whose time is over. */
export async function purgeExpired({ database, clock }: Pick<Deps, 'database' | 'clock'>): Promise<void> {
  await eraseBuyers(database.sql);
  await deleteExpired(database.sql, clock.now());
}
