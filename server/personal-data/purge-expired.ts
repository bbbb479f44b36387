import type { Deps } from '#server/deps.ts';
import { deleteExpired, eraseBuyers } from './erasure-store.ts';

/** Erases expired data: buyers in late facts of deleted accounts, exports, and hashes of addresses. */
export async function purgeExpired({ database, clock }: Pick<Deps, 'database' | 'clock'>): Promise<void> {
  await eraseBuyers(database.sql);
  await deleteExpired(database.sql, clock.now());
}
