import { translate } from '../translate.ts';
import type { WantedMail } from './mail-queue.ts';
import type { MailContent } from './render-mail.ts';

/** Subject and paragraphs of a mail in its reader's language; the mail's params and `email` fill the texts, `values` wins. */
export function mailTexts(
  { language, params, to }: WantedMail,
  subject: string,
  text: string,
  values: Readonly<Record<string, string | number>> = {},
): MailContent {
  const all = { email: to, ...params, ...values };
  return {
    subject: translate(language, subject, all),
    paragraphs: translate(language, text, all).split('\n'),
  };
}
