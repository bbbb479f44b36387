import type { Deps } from '#server/deps.ts';
import { isDisputed } from '../state/order-store.ts';
import { readAddressHash } from '../state/read-blocked-since.ts';

type BlockDeps = Pick<Deps, 'database' | 'config'>;

/**
 * Returns whether an open dispute stops sales to this user. A dispute follows the mailboxes that the disputed account proved when
 * it ordered or since (decision 46): an account that was deleted and opened again, one under an alias, or one under an address that
 * was changed before the dispute is blocked too. An unproved address blocks no other account.
 */
export async function readCheckoutBlock(deps: BlockDeps, userId: string): Promise<boolean> {
  const { sql } = deps.database;
  return isDisputed(sql, userId, await readAddressHash(deps, userId, sql));
}
