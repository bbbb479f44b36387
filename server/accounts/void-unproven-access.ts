import type { Deps } from '#server/deps.ts';
import type { Executor } from '#server/platform/database.ts';
import { deleteAccess } from './google/google-store.ts';
import { deleteAllFactors } from './second-factor-store.ts';
import { sendNotice } from './send-notice.ts';

/**
 * Ends every way into an account whose address nobody had proved, for the one who has just proved it: whoever opened it may have
 * been a stranger who waited for them. To be called in the transaction that gives them their own way in; `publishSignedOut` after.
 */
export async function voidUnprovenAccess(
  tx: Executor,
  deps: Pick<Deps, 'config' | 'clock'>,
  userId: string,
): Promise<void> {
  await deleteAccess(tx, userId, deps.clock.databaseTime());
  await deleteAllFactors(tx, userId);
  await sendNotice(tx, deps, userId, 'access_voided');
}
