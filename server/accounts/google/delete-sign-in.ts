import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Actor } from '../sessions/authenticate.ts';
import { changeCredential } from '../sessions/change-credential.ts';
import { requireConfirmed } from '../sessions/require-confirmed.ts';
import { sendNotice } from '../users/send-notice.ts';
import { deleteIdentity, selectIdentities } from './sign-in-method-store.ts';

/**
 * Ends one of the caller's ways in that is no password, and every other session. Throws `confirmation_required`, `not_found`, and
 * `last_sign_in` for the only one: a passkey may be lost with its device, so it does not count.
 */
export async function deleteSignIn(
  deps: Pick<Deps, 'config' | 'database' | 'clock' | 'bus'>,
  actor: Actor,
  id: string,
): Promise<void> {
  await requireConfirmed(deps, actor);
  const { userId } = actor;
  await changeCredential(deps, actor, async (tx) => {
    const identities = await selectIdentities(tx, userId);
    const identity = identities.find((one) => one.id === id);
    if (!identity || !(await deleteIdentity(tx, userId, id))) throw new AppError('not_found');
    if (identities.length === 1) throw new AppError('last_sign_in');
    await sendNotice(tx, deps, userId, 'google_disconnected', { account: identity.accountName ?? '' });
  });
}
