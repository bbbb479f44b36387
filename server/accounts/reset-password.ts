import { z } from 'zod';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Executor } from '#server/platform/database.ts';
import { deletePending, lockUser, revokeKeys } from './access-store.ts';
import { endOtherAccess } from './change-credential.ts';
import { forgetGuesses } from './forget-guesses.ts';
import { hashPassword } from './hash-password.ts';
import { hashProof } from './hash-proof.ts';
import { requireNewPassword } from './password-rules.ts';
import { type MailboxProof, proveMailbox } from './prove-mailbox.ts';
import { publishAccessEnd } from './publish-access-end.ts';
import { sendNotice } from './send-notice.ts';
import { consumeResetToken, findResetToken, updatePassword } from './verification-store.ts';

export const resetPasswordSchema = z.strictObject({
  token: z.string().max(200),
  newPassword: z.string(),
  /** True: API keys stay good. Of no account whose mailbox nobody had proved before. */
  keepKeys: z.boolean().optional(),
});

type ResetDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'bus'>;

/**
 * Sets a new password by the link of a reset mail, which is good once and proves the mailbox. Every session of the user ends, and
 * every API key unless it is to be kept. All of it happens or nothing does. Throws `reset_link_invalid`, `password_too_short`,
 * `password_too_long`. Returns whose it is, and whether what an unproved opener left ended with it.
 */
export async function resetPassword(
  deps: ResetDeps,
  { token, newPassword, keepKeys = false }: z.infer<typeof resetPasswordSchema>,
): Promise<{ userId: string; voided: boolean }> {
  const { database, clock, bus } = deps;
  requireNewPassword(newPassword);
  const tokenHash = hashProof(token);
  const userId = await findResetToken(database.sql, tokenHash, clock.now());
  if (userId === null) throw new AppError('reset_link_invalid');
  const hash = await hashPassword(newPassword, deps.config.hashing);
  const end = await database.sql.begin(async (tx) => {
    const user = await lockUser(tx, userId);
    const isGood = await consumeResetToken(tx, tokenHash, clock.now());
    if (!user || !isGood) throw new AppError('reset_link_invalid');
    const ended = await endFormerAccess(tx, deps, userId, keepKeys);
    await updatePassword(tx, userId, hash);
    await forgetGuesses(tx, deps, userId);
    await sendNotice(tx, deps, userId, 'password_changed');
    return ended;
  });
  publishAccessEnd(bus, userId, end);
  return { userId, voided: end.voided };
}

async function endFormerAccess(
  tx: Executor,
  deps: ResetDeps,
  userId: string,
  keepKeys: boolean,
): Promise<MailboxProof> {
  const proof = await proveMailbox(tx, deps, userId, { is: 'stranger' });
  if (proof.voided) return proof;
  await endOtherAccess(tx, userId, null);
  await deletePending(tx, userId);
  const keys = keepKeys ? [] : await revokeKeys(tx, userId, deps.clock.databaseTime());
  return { sessions: null, keys, voided: false };
}
