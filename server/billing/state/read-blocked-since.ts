import { hashEmail } from '#server/accounts/abuse/normalise-email.ts';
import type { Deps } from '#server/deps.ts';
import type { Executor } from '#server/platform/database/database.ts';
import type { ProviderSnapshot } from '../facts/provider-snapshot.ts';
import { selectOpenDisputes } from './account-store.ts';
import { findEmail } from './order-store.ts';

/** The hash of the mailbox that the user has now; null without an address. */
export async function readAddressHash(
  { config }: Pick<Deps, 'config'>,
  userId: string,
  sql: Executor,
): Promise<Buffer | null> {
  const email = await findEmail(sql, userId);
  return email === null ? null : hashEmail(config.authSecret, email);
}

/** Since when (epoch milliseconds) nothing is sold to the user because of an open dispute; null: none is open. */
export async function readBlockedSince(
  deps: Pick<Deps, 'config'>,
  userId: string,
  { disputes }: Pick<ProviderSnapshot, 'disputes'>,
  sql: Executor,
): Promise<number | null> {
  const open = await selectOpenDisputes(sql, userId, await readAddressHash(deps, userId, sql));
  const times = open
    .filter((each) => each.userId !== userId || disputes.has(each.paymentKey))
    .map(({ since }) => since.getTime());
  return times.length > 0 ? Math.min(...times) : null;
}
