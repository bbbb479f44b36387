import type { ComposeMail, WantedMail } from '#server/platform/mail-queue.ts';
import { mailTexts } from '#server/platform/mail-texts.ts';
import type { MailContent, MailLink } from '#server/platform/render-mail.ts';
import { translate } from '#server/platform/translate.ts';
import type { Notice } from '../send-notice.ts';
import type { ComposeDeps } from './compose-account-mail.ts';
import { createNotMeLink } from './create-not-me-link.ts';

/** Where the reader looks at what a notice tells, and the words on the link. */
interface Place {
  label: string;
  path: string;
}

const WAYS_IN: Place = { label: 'mail.notice.waysIn', path: '/profile#sign-ins' };
const KEYS: Place = { label: 'mail.notice.keys', path: '/api#keys' };

/** Who composes the mails that tell of a change to the ways to sign in. */
export function composeNotices(deps: ComposeDeps): Record<Notice, ComposeMail> {
  const compose =
    (name: string, { label, path }: Place = WAYS_IN): ComposeMail =>
    async (mail: WantedMail): Promise<MailContent> => {
      const { language } = mail;
      const prefix = path === KEYS.path ? `/${language}` : '';
      const action: MailLink = {
        label: translate(language, label),
        url: `${deps.config.publicUrl}${prefix}${path}`,
      };
      const texts = mailTexts(mail, `mail.${name}.subject`, `mail.${name}.text`);
      return { ...texts, action, ...(await createNotMeLink(deps, mail)) };
    };
  return {
    second_factor_on: compose('secondFactorOn'),
    second_factor_off: compose('secondFactorOff'),
    recovery_code_used: compose('recoveryCodeUsed'),
    google_connected: compose('googleConnected'),
    google_disconnected: compose('googleDisconnected'),
    access_voided: async (mail) => mailTexts(mail, 'mail.accessVoided.subject', 'mail.accessVoided.text'),
    passkey_added: compose('passkeyAdded'),
    passkey_removed: compose('passkeyRemoved'),
    recovery_codes_renewed: compose('recoveryCodesRenewed'),
    api_key_created: compose('apiKeyCreated', KEYS),
    api_key_changed: compose('apiKeyChanged', KEYS),
    password_changed: compose('passwordChanged'),
  };
}
