import type { Deps } from '#server/deps.ts';
import { deleteOutlived, eraseBuyers } from './erasure-store.ts';

/** Erases what may no longer be kept: buyers in late news of deleted accounts, exports and hashes of addresses whose time is over. */
export async function eraseOutlived({ database, clock }: Pick<Deps, 'database' | 'clock'>): Promise<void> {
  await eraseBuyers(database.sql);
  await deleteOutlived(database.sql, clock.now());
}
