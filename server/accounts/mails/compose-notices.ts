import type { ComposeMail, WantedMail } from '#server/platform/mail-queue.ts';
import { mailTexts } from '#server/platform/mail-texts.ts';
import type { MailContent } from '#server/platform/render-mail.ts';
import { translate } from '#server/platform/translate.ts';
import type { Notice } from '../send-notice.ts';

/** Who composes the mails that tell of a change to the ways to sign in. */
export function composeNotices(): Record<Notice, ComposeMail> {
  return {
    second_factor_on: compose('mail.secondFactorOn.subject', 'mail.secondFactorOn.text'),
    second_factor_off: compose('mail.secondFactorOff.subject', 'mail.secondFactorOff.text'),
    recovery_code_used: compose('mail.recoveryCodeUsed.subject', 'mail.recoveryCodeUsed.text'),
    google_connected: compose('mail.googleConnected.subject', 'mail.googleConnected.text'),
    google_disconnected: compose('mail.googleDisconnected.subject', 'mail.googleDisconnected.text'),
    access_voided: compose('mail.accessVoided.subject', 'mail.accessVoided.text', 'mail.accessVoided.note'),
    passkey_added: compose('mail.passkeyAdded.subject', 'mail.passkeyAdded.text'),
    passkey_removed: compose('mail.passkeyRemoved.subject', 'mail.passkeyRemoved.text'),
    recovery_codes_renewed: compose('mail.recoveryCodesRenewed.subject', 'mail.recoveryCodesRenewed.text'),
    api_key_created: compose(
      'mail.apiKeyCreated.subject',
      'mail.apiKeyCreated.text',
      'mail.apiKeyCreated.note',
    ),
    password_changed: compose(
      'mail.passwordChanged.subject',
      'mail.passwordChanged.text',
      'mail.passwordChanged.note',
    ),
  };
}

function compose(subject: string, text: string, note = 'mail.notice'): ComposeMail {
  return async (mail: WantedMail): Promise<MailContent> => ({
    ...mailTexts(mail, subject, text),
    note: translate(mail.language, note),
  });
}
