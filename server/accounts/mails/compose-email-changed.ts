import type { WantedMail } from '#server/platform/mail-queue.ts';
import { mailTexts } from '#server/platform/mail-texts.ts';
import type { MailContent } from '#server/platform/render-mail.ts';
import { translate } from '#server/platform/translate.ts';
import type { ComposeDeps } from './compose-account-mail.ts';

/** To both, once it has happened. */
export async function composeEmailChanged({ config }: ComposeDeps, mail: WantedMail): Promise<MailContent> {
  return {
    ...mailTexts(mail, 'mail.emailChanged.subject', 'mail.emailChanged.text'),
    note: translate(mail.language, 'mail.emailChanged.note', { support: config.brand.supportEmail }),
  };
}
