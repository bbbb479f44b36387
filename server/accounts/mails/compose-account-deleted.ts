import type { WantedMail } from '#server/platform/mail-queue.ts';
import { mailTexts } from '#server/platform/mail-texts.ts';
import type { MailContent } from '#server/platform/render-mail.ts';
import { translate } from '#server/platform/translate.ts';

/** The account is gone: the last mail to its address. */
export async function composeAccountDeleted(mail: WantedMail): Promise<MailContent> {
  return {
    ...mailTexts(mail, 'mail.accountDeleted.subject', 'mail.accountDeleted.text'),
    note: translate(mail.language, 'mail.accountDeleted.note'),
  };
}
