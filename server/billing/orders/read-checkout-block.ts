import { hashAddress } from '#server/accounts/abuse/normalise-address.ts';
import type { Deps } from '#server/deps.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { findEmail, isDisputed } from '../settlement/order-store.ts';

type BlockDeps = Pick<Deps, 'database' | 'config'>;

/** The hash of the mailbox that the user has now; null without an address. */
export async function readAddressHash(
  { config }: Pick<Deps, 'config'>,
  userId: string,
  sql: Executor,
): Promise<Buffer | null> {
  const email = await findEmail(sql, userId);
  return email === null ? null : hashAddress(config.authSecret, email);
}

/**
 * Is nothing sold to the user because of an open dispute. It follows the mailboxes that the disputed account proved when it ordered
 * or since (decision 46): an account that was deleted and opened again, one under an alias, or one under an address that was changed
 * before the dispute is blocked too. An unproved address blocks no other account.
 */
export async function readCheckoutBlock(deps: BlockDeps, userId: string): Promise<boolean> {
  const { sql } = deps.database;
  return isDisputed(sql, userId, await readAddressHash(deps, userId, sql));
}
