import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Actor } from '../sessions/authenticate.ts';
import { changeCredential } from '../sessions/change-credential.ts';
import { requireConfirmed } from '../sessions/require-confirmed.ts';
import { sendNotice } from '../users/send-notice.ts';
import { deletePasskeyRow } from './passkey-store.ts';

/**
 * Deletes a passkey of the caller, whom a mail informs, and ends every other session. Throws `confirmation_required`, and
 * `not_found`, also for another user's.
 */
export async function deletePasskey(
  deps: Pick<Deps, 'config' | 'database' | 'clock' | 'bus'>,
  actor: Actor,
  id: string,
): Promise<void> {
  await requireConfirmed(deps, actor);
  await changeCredential(deps, actor, async (tx) => {
    const name = await deletePasskeyRow(tx, actor.userId, id);
    if (name === null) throw new AppError('not_found');
    await sendNotice(tx, deps, actor.userId, 'passkey_removed', { name });
  });
}
