import type { ChangePassword } from '#contract/accounts.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { recordTrustedBrowser } from '../devices/record-trusted-browser.ts';
import { hasSecondFactor } from '../second-factor/second-factor-store.ts';
import { hashPassword } from '../secrets/hash-password.ts';
import type { Actor } from '../sessions/authenticate.ts';
import { changeCredential } from '../sessions/change-credential.ts';
import { requireConfirmed } from '../sessions/require-confirmed.ts';
import { findPassword, updatePassword } from '../users/password-store.ts';
import { limitChanges, sendNotice } from '../users/send-notice.ts';
import { requireNewPassword } from './password-rules.ts';
import { verifyOwnPassword } from './verify-own-password.ts';

type ChangeDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'bus'>;

/**
 * Changes the caller's password, or sets the first one, and signs every other browser out; this one is trusted, whose device cookie has
 * `deviceToken`. Returns the `Set-Cookie` value of that. Throws `invalid_credentials` for a wrong or missing current password,
 * `confirmation_required` where there is none yet or a second factor is on and no fresh proof of it, `password_too_short`,
 * `password_too_long`, `rate_limited`.
 */
export async function changePassword(
  deps: ChangeDeps,
  actor: Actor,
  { currentPassword, newPassword }: ChangePassword,
  deviceToken: string | null,
): Promise<string> {
  const { userId } = actor;
  const { sql } = deps.database;
  requireNewPassword(newPassword);
  if (await hasSecondFactor(sql, userId)) await requireConfirmed(deps, actor);
  if (currentPassword === undefined) await requireNoPassword(deps, actor);
  else await verifyOwnPassword(deps, actor, currentPassword);
  await limitChanges(deps, userId);
  const hash = await hashPassword(newPassword, deps.config.hashing);
  return changeCredential(deps, actor, async (tx) => {
    await updatePassword(tx, userId, hash);
    await sendNotice(tx, deps, userId, currentPassword === undefined ? 'password_set' : 'password_changed');
    return recordTrustedBrowser(tx, deps, { userId, deviceToken, signedIn: true });
  });
}

async function requireNoPassword(deps: Pick<Deps, 'database' | 'clock'>, actor: Actor): Promise<void> {
  const user = await findPassword(deps.database.sql, actor.userId);
  if (user?.hash !== null) throw new AppError('invalid_credentials');
  await requireConfirmed(deps, actor);
}
