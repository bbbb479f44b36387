import type { ChangePassword } from '#contract/accounts.ts';
import type { Deps } from '#server/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueueMail } from '#server/platform/mail-queue.ts';
import type { Actor } from './authenticate.ts';
import { hashPassword } from './hash-password.ts';
import { publishSignedOut } from './live-sessions.ts';
import { requireNewPassword } from './password-rules.ts';
import { deleteOtherSessions } from './session-store.ts';
import { updatePassword } from './verification-store.ts';
import { verifyOwnPassword } from './verify-own-password.ts';

/**
 * Changes the caller's password and signs every other browser out. Throws `invalid_credentials` for a wrong current password,
 * `password_too_short`, `password_too_long`, `rate_limited`.
 */
export async function changePassword(
  deps: Pick<Deps, 'config' | 'database' | 'clock' | 'bus'>,
  { userId, sessionId }: Actor,
  { currentPassword, newPassword }: ChangePassword,
  address: string,
): Promise<void> {
  requireNewPassword(newPassword);
  const user = await verifyOwnPassword(deps, userId, currentPassword, address);
  const hash = await hashPassword(newPassword);
  const ended = await deps.database.sql.begin(async (tx) => {
    await updatePassword(tx, userId, hash);
    await enqueueMail(tx, deps, {
      key: `password_changed:${newId()}`,
      template: 'password_changed',
      to: user.email,
      language: user.language,
      params: {},
    });
    return deleteOtherSessions(tx, userId, sessionId);
  });
  for (const id of ended) publishSignedOut(deps.bus, userId, id);
}
