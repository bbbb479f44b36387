import type { RecoveryCodes } from '#contract/accounts/second-factor.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Actor } from '../sessions/authenticate.ts';
import { changeCredential } from '../sessions/change-credential.ts';
import { requireConfirmed } from '../sessions/require-confirmed.ts';
import { limitChanges, sendNotice } from '../users/send-notice.ts';
import { createRecoveryCodes } from './create-recovery-codes.ts';
import { replaceRecoveryCodes } from './second-factor-store.ts';

/**
 * Makes new recovery codes; those before are good no more, every other session ends, and a mail informs the user. Throws
 * `confirmation_required`, `rate_limited`, and `conflict` while the second factor is off.
 */
export async function renewRecoveryCodes(
  deps: Pick<Deps, 'config' | 'database' | 'clock' | 'bus'>,
  actor: Actor,
): Promise<RecoveryCodes> {
  await requireConfirmed(deps, actor);
  await limitChanges(deps, actor.userId);
  const { codes, kept } = await createRecoveryCodes(deps.config.hashing);
  await changeCredential(deps, actor, async (tx) => {
    if (!(await replaceRecoveryCodes(tx, actor.userId, kept))) throw new AppError('conflict');
    await sendNotice(tx, deps, actor.userId, 'recovery_codes_renewed');
  });
  return { recoveryCodes: codes };
}
