import { composeAccountMail } from '#server/accounts/mails/compose-account-mail.ts';
import type { Deps } from '#server/deps.ts';
import { sendDueMails } from '#server/platform/mail-queue.ts';

/** A link that came by mail. */
export interface MailedLink {
  to: string;
  /** `reset-password`, `verify-email` or `confirm-email`. */
  page: string;
  /** `token`, or what else the link does. */
  name: string;
  token: string;
}

/** Templates whose mails have links. */
const WITH_LINKS = ['password_reset', 'verify_email', 'email_change_old', 'email_change_new', 'sign_in_link'];
const LINK = /\/([a-z-]+)#([a-z-]+)=([\w-]{20,})/g;

/** Composes the mails that wait, and gives their links; mails without any are thrown away. */
export async function takeMailedLinks(deps: Deps): Promise<MailedLink[]> {
  const links: MailedLink[] = [];
  await deps.database.sql`delete from mails where ended_at is null and template <> all(${WITH_LINKS})`;
  const send = async ({ to, text }: { to: string; text: string }) => {
    for (const [, page = '', name = '', token = ''] of text.matchAll(LINK))
      links.push({ to, page, name, token });
  };
  await sendDueMails(deps, { send, close: () => {} }, composeAccountMail(deps));
  return links;
}
