import { describeAgent } from '#contract/describe-agent.ts';
import type { WantedMail } from '#server/platform/mail/mail-queue.ts';
import { mailTexts } from '#server/platform/mail/mail-texts.ts';
import { mailMoment } from '#server/platform/mail/mail-times.ts';
import type { MailContent } from '#server/platform/mail/render-mail.ts';
import { translate } from '#server/platform/translate.ts';
import { findUserByEmail } from '../users/email-store.ts';
import type { ComposeDeps } from './compose-account-mail.ts';
import { createDisownLink } from './create-disown-link.ts';

/** A sign-in from a place that is new for the user; not wanted where the account is gone. */
export async function composeNewSignIn(deps: ComposeDeps, mail: WantedMail): Promise<MailContent | null> {
  if (!(await findUserByEmail(deps.database.sql, mail.to))) return null;
  const { language, params } = mail;
  const say = (key: string) => translate(language, key);
  const place = {
    label: say('mail.newSignIn.action'),
    url: `${deps.config.publicUrl}/profile/devices#sessions`,
  };
  return {
    ...mailTexts(mail, 'mail.newSignIn.subject', 'mail.newSignIn.text'),
    facts: [
      [say('mail.newSignIn.device'), describeAgent(String(params.userAgent)) ?? say('profile.unknownDevice')],
      [say('mail.newSignIn.time'), mailMoment(language, new Date(Number(params.at)))],
      [say('mail.newSignIn.address'), String(params.address)],
    ],
    ...(await createDisownLink(deps, mail, place)),
  };
}
