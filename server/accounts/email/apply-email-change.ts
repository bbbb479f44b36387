import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { isConflict } from '#server/platform/database/database-errors.ts';
import { enqueueMail, updateMailsOwner } from '#server/platform/mail/mail-queue.ts';
import { recogniseEmail } from '../abuse/recognise-email.ts';
import { endOtherAccess } from '../sessions/change-credential.ts';
import { deleteLinks } from '../users/access-store.ts';
import { deleteEmailChange, type EmailChangeRow, findEmail, updateEmail } from '../users/email-store.ts';
import { proveMailbox } from './prove-mailbox.ts';

/**
 * Gives a user the new address, whose mailbox is proved then: every session but `keptSession` ends, links are void, and both addresses
 * are notified. To be called under `lockUserForAddress`; `publishAccessEnd` for the returned sessions after the commit. Throws `email_taken`.
 */
export async function applyEmailChange(
  tx: Executor,
  deps: Pick<Deps, 'config' | 'clock'>,
  { id, userId, newEmail }: EmailChangeRow,
  keptSession: string | null,
): Promise<string[]> {
  const user = await findEmail(tx, userId);
  if (!user) throw new AppError('email_link_invalid');
  try {
    await updateEmail(tx, userId, { email: newEmail, ...(await recogniseEmail(deps, newEmail)) });
  } catch (error) {
    throw isConflict(error) ? new AppError('email_taken') : error;
  }
  const proof = await proveMailbox(tx, deps, userId, { is: 'opener', session: keptSession });
  await deleteEmailChange(tx, id);
  await deleteLinks(tx, userId);
  for (const [side, to] of [
    ['old', user.email],
    ['new', newEmail],
  ] as const) {
    await enqueueMail(tx, deps, {
      key: `email_changed:${id}:${side}`,
      template: 'email_changed',
      to,
      language: user.language,
      params: { oldEmail: user.email, newEmail },
    });
  }
  await updateMailsOwner(tx, user.email, userId);
  return [...(proof.sessions ?? []), ...(await endOtherAccess(tx, userId, keptSession))];
}
