import { PROVIDER_NAME, type Provider } from '#contract/choices.ts';
import { formatMoney } from '#i18n/formats.ts';
import type { WantedMail } from '#server/platform/mail/mail-queue.ts';
import { mailTexts } from '#server/platform/mail/mail-texts.ts';
import { mailMoment } from '#server/platform/mail/mail-times.ts';
import type { MailContent } from '#server/platform/mail/render-mail.ts';
import { translate } from '#server/platform/translate.ts';
import type { UncreditedRow } from '../state/uncredited-store.ts';

function textOf({ reason }: UncreditedRow): string {
  return reason === 'checkout_blocked' ? 'mail.uncreditedCharge.disputed' : 'mail.uncreditedCharge.text';
}

/** For the operator: a charge was paid and grants nothing; not wanted where that was mended meanwhile. */
export function composeUncreditedCharge(
  mail: WantedMail,
  charge: UncreditedRow | null,
  publicUrl: string,
): MailContent | null {
  if (!charge) return null;
  const { language } = mail;
  const { amountMinor, currency, paidAt } = charge;
  return {
    ...mailTexts(mail, 'mail.uncreditedCharge.subject', textOf(charge), {
      reference: charge.transactionId,
    }),
    facts: [
      [translate(language, 'mail.uncreditedCharge.provider'), PROVIDER_NAME[charge.provider as Provider]],
      [translate(language, 'mail.uncreditedCharge.charge'), charge.transactionId],
      [translate(language, 'mail.uncreditedCharge.reason'), charge.reason],
      ...(amountMinor !== null && currency !== null
        ? [
            [
              translate(language, 'mail.uncreditedCharge.amount'),
              formatMoney(language, amountMinor, currency),
            ] satisfies [string, string],
          ]
        : []),
      ...(paidAt
        ? [
            [translate(language, 'mail.uncreditedCharge.paidAt'), mailMoment(language, paidAt)] satisfies [
              string,
              string,
            ],
          ]
        : []),
      ...(charge.userId
        ? [[translate(language, 'mail.uncreditedCharge.user'), charge.userId] satisfies [string, string]]
        : []),
      ...(charge.orderId
        ? [[translate(language, 'mail.uncreditedCharge.order'), charge.orderId] satisfies [string, string]]
        : []),
    ],
    action: {
      label: translate(language, 'mail.uncreditedCharge.action'),
      url: `${publicUrl}/${language}/contact`,
    },
  };
}
