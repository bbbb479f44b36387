import { composeAccountMail } from '#server/accounts/mails/compose-account-mail.ts';
import type { Deps } from '#server/deps.ts';
import type { TriedMail } from '#server/platform/mail/mail-queue.ts';

/** A link that came by mail. */
export interface MailedLink {
  to: string;
  /** Of the mail, such as `password_reset`. */
  template: string;
  /** `reset-password`, `verify-email`, `not-me` or `confirm-email`. */
  page: string;
  /** `token`, or what else the link does. */
  name: string;
  token: string;
}

/** Mails that a person asked for, because of their links. */
const ASKED_FOR = ['password_reset', 'verify_email', 'email_change_old', 'email_change_new', 'sign_in_link'];
const LINK = /\/([a-z-]+)#([a-z-]+)=([\w-]{20,})$/;

/** Composes the mails that wait, and gives their links; notices are thrown away unless they are read too. */
export async function takeMailedLinks(deps: Deps, { notices }: { notices: boolean }): Promise<MailedLink[]> {
  const composers = composeAccountMail(deps);
  const waiting = await deps.database.sql<TriedMail[]>`
    delete from mails where ended_at is null returning key, template, to_address as "to", language, params, tries`;
  const links: MailedLink[] = [];
  for (const mail of waiting) {
    const { to, template } = mail;
    if (!notices && !ASKED_FOR.includes(template)) continue;
    const content = await composers[template]?.(mail);
    for (const link of [content?.action, content?.other]) {
      const [, page = '', name = '', token] = LINK.exec(link?.url ?? '') ?? [];
      if (token) links.push({ to, template, page, name, token });
    }
  }
  return links;
}
