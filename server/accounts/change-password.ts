import type { ChangePassword } from '#contract/accounts.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Actor } from './authenticate.ts';
import { hashPassword } from './hash-password.ts';
import { publishSignedOut } from './live-sessions.ts';
import { requireNewPassword } from './password-rules.ts';
import { requireConfirmed } from './require-confirmed.ts';
import { sendNotice } from './send-notice.ts';
import { deleteOtherSessions } from './session-store.ts';
import { findPassword, updatePassword } from './verification-store.ts';
import { verifyOwnPassword } from './verify-own-password.ts';

/**
 * Changes the caller's password, or sets the first one, and signs every other browser out. Throws `invalid_credentials` for a wrong or
 * missing current password, `confirmation_required` where there is none yet, `password_too_short`, `password_too_long`,
 * `rate_limited`.
 */
export async function changePassword(
  deps: Pick<Deps, 'config' | 'database' | 'clock' | 'bus'>,
  actor: Actor,
  { currentPassword, newPassword }: ChangePassword,
): Promise<void> {
  const { userId, sessionId } = actor;
  requireNewPassword(newPassword);
  if (currentPassword === undefined) await requireNoPassword(deps, actor);
  else await verifyOwnPassword(deps, actor, currentPassword);
  const hash = await hashPassword(newPassword);
  const ended = await deps.database.sql.begin(async (tx) => {
    await updatePassword(tx, userId, hash);
    await sendNotice(tx, deps, userId, 'password_changed');
    return deleteOtherSessions(tx, userId, sessionId);
  });
  for (const id of ended) publishSignedOut(deps.bus, userId, id);
}

async function requireNoPassword(deps: Pick<Deps, 'database' | 'clock'>, actor: Actor): Promise<void> {
  const user = await findPassword(deps.database.sql, actor.userId);
  if (user?.hash !== null) throw new AppError('invalid_credentials');
  await requireConfirmed(deps, actor);
}
