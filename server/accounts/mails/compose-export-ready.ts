import type { WantedMail } from '#server/platform/mail/mail-queue.ts';
import { mailTexts } from '#server/platform/mail/mail-texts.ts';
import type { MailContent } from '#server/platform/mail/render-mail.ts';
import { translate } from '#server/platform/translate.ts';
import type { ComposeDeps } from './compose-account-mail.ts';

/** A user's data can be taken; the file itself only by who is signed in. */
export async function composeExportReady({ config }: ComposeDeps, mail: WantedMail): Promise<MailContent> {
  return {
    ...mailTexts(mail, 'mail.exportReady.subject', 'mail.exportReady.text'),
    action: {
      label: translate(mail.language, 'mail.exportReady.action'),
      url: `${config.publicUrl}/profile/data#data`,
    },
    note: translate(mail.language, 'mail.exportReady.note'),
  };
}
