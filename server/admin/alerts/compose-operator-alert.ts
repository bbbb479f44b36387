import { alertParams } from '#i18n/alert-params.ts';
import type { Deps } from '#server/deps.ts';
import type { ComposeMail } from '#server/platform/mail/mail-queue.ts';
import { mailTexts } from '#server/platform/mail/mail-texts.ts';
import { mailMoment } from '#server/platform/mail/mail-times.ts';
import { translate } from '#server/platform/translate.ts';

/** Who composes the mails to the operator, by template. */
export function composeOperatorAlert({ config }: Pick<Deps, 'config'>): Record<string, ComposeMail> {
  return {
    operator_alert: async (mail) => {
      const { language, params } = mail;
      const named = alertParams(String(params.subject), params, language, (feature) =>
        translate(language, `admin.word.feature.${feature}`),
      );
      const title = translate(language, `admin.alert.${params.kind}.title`, named);
      const isOver = params.state === 'ended';
      return {
        ...mailTexts(mail, `admin.alert.mail.${params.state}`, `admin.alert.${params.kind}.text`, { title }),
        ...(isOver ? { paragraphs: [translate(language, 'admin.alert.mail.over')] } : {}),
        facts: [
          [translate(language, 'admin.alert.since'), mailMoment(language, new Date(Number(params.raisedAt)))],
        ],
        action: { label: translate(language, 'admin.alert.mail.open'), url: `${config.publicUrl}/admin` },
      };
    },
  };
}
