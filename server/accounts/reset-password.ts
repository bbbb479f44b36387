import { z } from 'zod';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { forgetGuesses } from './forget-guesses.ts';
import { hashPassword } from './hash-password.ts';
import { hashProof } from './hash-proof.ts';
import { publishSignedOut } from './live-sessions.ts';
import { requireNewPassword } from './password-rules.ts';
import { sendNotice } from './send-notice.ts';
import { deleteOtherSessions } from './session-store.ts';
import { consumeResetToken, markVerified, updatePassword } from './verification-store.ts';

export const resetPasswordSchema = z.strictObject({ token: z.string().max(200), newPassword: z.string() });

/**
 * Sets a new password by the link of a reset mail, which is good once, and ends every session of the user. All of it happens or
 * nothing does. Returns whose it is. Throws `reset_link_invalid`, `password_too_short`, `password_too_long`.
 */
export async function resetPassword(
  deps: Pick<Deps, 'config' | 'database' | 'clock' | 'bus'>,
  { token, newPassword }: z.infer<typeof resetPasswordSchema>,
): Promise<string> {
  const { database, clock, bus } = deps;
  requireNewPassword(newPassword);
  const hash = await hashPassword(newPassword);
  const userId = await database.sql.begin(async (tx) => {
    const owner = await consumeResetToken(tx, hashProof(token), clock.now());
    if (owner === null) throw new AppError('reset_link_invalid');
    await updatePassword(tx, owner, hash);
    await markVerified(tx, owner);
    await deleteOtherSessions(tx, owner, null);
    await forgetGuesses(tx, deps, owner);
    await sendNotice(tx, deps, owner, 'password_changed');
    return owner;
  });
  publishSignedOut(bus, userId, null);
  return userId;
}
