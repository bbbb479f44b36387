import type { Deps } from '#server/deps.ts';
import type { Actor } from '../sessions/authenticate.ts';
import { changeCredential } from '../sessions/change-credential.ts';
import { requireConfirmed } from '../sessions/require-confirmed.ts';
import { sendNotice } from '../users/send-notice.ts';
import { deleteSecondFactor, hasSecondFactor } from './second-factor-store.ts';

/** Turns the caller's second factor off; its recovery codes go, and every other session ends. Throws `confirmation_required`. */
export async function revokeSecondFactor(
  deps: Pick<Deps, 'config' | 'database' | 'clock' | 'bus'>,
  actor: Actor,
): Promise<void> {
  await requireConfirmed(deps, actor);
  if (!(await hasSecondFactor(deps.database.sql, actor.userId))) return;
  await changeCredential(deps, actor, async (tx) => {
    if (await deleteSecondFactor(tx, actor.userId))
      await sendNotice(tx, deps, actor.userId, 'second_factor_off');
  });
}
