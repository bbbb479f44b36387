import type { ResetPassword } from '#contract/accounts.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { recordTrustedBrowser } from '../devices/record-trusted-browser.ts';
import { type MailboxProof, proveMailbox, takeAccountBack } from '../email/prove-mailbox.ts';
import { hashPassword } from '../secrets/hash-password.ts';
import { hashProof } from '../secrets/hash-proof.ts';
import { publishAccessEnd } from '../sessions/publish-access-end.ts';
import { selectWays } from '../users/access-store.ts';
import { findMailedProof, redeemMailedProof } from '../users/mailed-proof-store.ts';
import { updatePassword } from '../users/password-store.ts';
import { sendNotice } from '../users/send-notice.ts';
import { clearGuesses } from './clear-guesses.ts';
import { requireNewPassword } from './password-rules.ts';

type ResetDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'bus'>;

/**
 * Sets a new password by the link of a reset mail, which is good once and proves the mailbox. Every session of the user ends, and
 * every passkey, Google account and API key that is not to be kept. The browser that did it is trusted, whose device cookie has
 * `deviceToken`; `cookie` is the `Set-Cookie` value of that. All of it happens or nothing does. Returns also whether what an unproved
 * opener left ended with it. Throws `reset_link_invalid`, `password_too_short`, `password_too_long`.
 */
export async function resetPassword(
  deps: ResetDeps,
  { token, newPassword, keep = [] }: ResetPassword,
  deviceToken: string | null,
): Promise<{ voided: boolean; cookie: string }> {
  const { database, clock, bus } = deps;
  requireNewPassword(newPassword);
  const tokenHash = hashProof(token);
  const known = await findMailedProof(database.sql, 'reset-password', tokenHash, clock.now());
  if (!known) throw new AppError('reset_link_invalid');
  const { userId } = known;
  const hash = await hashPassword(newPassword, deps.config.hashing);
  const { end, cookie } = await database.sql.begin(async (tx) => {
    if (!(await redeemMailedProof(tx, 'reset-password', tokenHash, clock.now())))
      throw new AppError('reset_link_invalid');
    const ended = await endFormerAccess(tx, deps, userId, keep);
    await updatePassword(tx, userId, hash);
    await clearGuesses(tx, deps, userId);
    await sendNotice(tx, deps, userId, 'password_reset_done');
    const trust = { userId, deviceToken, signedIn: false };
    return { end: ended, cookie: await recordTrustedBrowser(tx, deps, trust) };
  });
  publishAccessEnd(bus, userId, end);
  return { voided: end.voided, cookie };
}

async function endFormerAccess(
  tx: Executor,
  deps: ResetDeps,
  userId: string,
  keep: string[],
): Promise<MailboxProof> {
  const proof = await proveMailbox(tx, deps, userId, { is: 'stranger' });
  if (proof.voided) return proof;
  const ways = (await selectWays(tx, userId)).map(({ id }) => id);
  const ended = await takeAccountBack(
    tx,
    deps,
    userId,
    ways.filter((id) => !keep.includes(id)),
  );
  return { ...ended, voided: false };
}
