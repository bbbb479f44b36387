import type { Language } from '#contract/choices.ts';
import type { ComposeMail, WantedMail } from '#server/platform/mail/mail-queue.ts';
import { mailTexts } from '#server/platform/mail/mail-texts.ts';
import type { MailContent, MailLink } from '#server/platform/mail/render-mail.ts';
import { translate } from '#server/platform/translate.ts';
import type { Notice } from '../users/send-notice.ts';
import type { ComposeDeps } from './compose-account-mail.ts';
import { createDisownLink } from './create-disown-link.ts';

/** Where the reader looks at what a notice is about. */
type Place = (publicUrl: string, language: Language) => MailLink;

const waysIn: Place = (publicUrl, language) => ({
  label: translate(language, 'mail.notice.waysIn'),
  url: `${publicUrl}/profile/security#sign-ins`,
});
const keys: Place = (publicUrl, language) => ({
  label: translate(language, 'mail.notice.keys'),
  url: `${publicUrl}/${language}/api#keys`,
});

/** Who composes the mails about a change to the ways to sign in. */
export function composeNotices(deps: ComposeDeps): Record<Notice, ComposeMail> {
  const compose =
    (subject: string, text: string, place = waysIn): ComposeMail =>
    async (mail: WantedMail): Promise<MailContent> => ({
      ...mailTexts(mail, subject, text),
      ...(await createDisownLink(deps, mail, place(deps.config.publicUrl, mail.language))),
    });
  return {
    second_factor_on: compose('mail.secondFactorOn.subject', 'mail.secondFactorOn.text'),
    second_factor_moved: compose('mail.secondFactorMoved.subject', 'mail.secondFactorMoved.text'),
    second_factor_off: compose('mail.secondFactorOff.subject', 'mail.secondFactorOff.text'),
    recovery_code_used: compose('mail.recoveryCodeUsed.subject', 'mail.recoveryCodeUsed.text'),
    google_connected: compose('mail.googleConnected.subject', 'mail.googleConnected.text'),
    google_disconnected: compose('mail.googleDisconnected.subject', 'mail.googleDisconnected.text'),
    access_voided: async (mail) => ({
      ...mailTexts(mail, 'mail.accessVoided.subject', 'mail.accessVoided.text'),
      note: translate(mail.language, 'mail.accessVoided.note'),
    }),
    passkey_added: compose('mail.passkeyAdded.subject', 'mail.passkeyAdded.text'),
    passkey_removed: compose('mail.passkeyRemoved.subject', 'mail.passkeyRemoved.text'),
    recovery_codes_renewed: compose('mail.recoveryCodesRenewed.subject', 'mail.recoveryCodesRenewed.text'),
    api_key_created: compose('mail.apiKeyCreated.subject', 'mail.apiKeyCreated.text', keys),
    api_key_changed: compose('mail.apiKeyChanged.subject', 'mail.apiKeyChanged.text', keys),
    password_set: compose('mail.passwordSet.subject', 'mail.passwordSet.text'),
    password_changed: compose('mail.passwordChanged.subject', 'mail.passwordChanged.text'),
    password_reset_done: compose('mail.passwordChanged.subject', 'mail.passwordChanged.textReset'),
  };
}

/** The account is gone: the last mail to its address. */
export async function composeAccountDeleted(mail: WantedMail): Promise<MailContent> {
  return {
    ...mailTexts(mail, 'mail.accountDeleted.subject', 'mail.accountDeleted.text'),
    note: translate(mail.language, 'mail.accountDeleted.note'),
  };
}

/** To both, once it has happened. */
export async function composeEmailChanged({ config }: ComposeDeps, mail: WantedMail): Promise<MailContent> {
  return {
    ...mailTexts(mail, 'mail.emailChanged.subject', 'mail.emailChanged.text'),
    note: translate(mail.language, 'mail.emailChanged.note', { support: config.brand.supportEmail }),
  };
}
