import type { Deps } from '#server/deps.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueueMail, type MailParams } from '#server/platform/mail/mail-queue.ts';
import { findEmail } from './email-store.ts';

/** Mails to a user about the ways to sign in, so that a stranger's change does not stay unseen. */
export type Notice =
  | 'second_factor_on'
  | 'second_factor_off'
  | 'recovery_code_used'
  | 'passkey_added'
  | 'passkey_removed'
  | 'recovery_codes_renewed'
  | 'api_key_created'
  | 'api_key_changed'
  | 'google_connected'
  | 'google_disconnected'
  | 'access_voided'
  | 'password_changed';

/** Queues a notice to the user in the transaction of the change; `wayId` is what “this was not me” removes. */
export async function sendNotice(
  tx: Executor,
  deps: Pick<Deps, 'config' | 'clock'>,
  userId: string,
  template: Notice,
  params: MailParams = {},
  wayId?: string,
): Promise<void> {
  const user = await findEmail(tx, userId);
  if (!user) return;
  const { email, language } = user;
  await enqueueMail(tx, deps, {
    key: `${template}:${newId()}`,
    template,
    to: email,
    language,
    params: { ...params, userId, ...(wayId ? { wayId } : {}) },
  });
}
