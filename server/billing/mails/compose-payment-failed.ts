import { PROVIDER_NAME } from '#contract/choices.ts';
import { mailTexts } from '#server/platform/mail/mail-texts.ts';
import { mailMoment } from '#server/platform/mail/mail-times.ts';
import type { MailContent } from '#server/platform/mail/render-mail.ts';
import { translate } from '#server/platform/translate.ts';
import { isOverdue, periodKeyOf } from '../projection/list-billing-mails.ts';
import type { BillingNote } from './compose-billing-mail.ts';
import { presentPlan } from './present-purchase.ts';

/** A renewal is late and the plan usable for some days more; not wanted where it was paid or cancelled meanwhile. */
export function composePaymentFailed({ mail, standing, publicUrl }: BillingNote): MailContent | null {
  const late = standing.subscriptions.find(
    (each) => periodKeyOf(standing, each) === mail.params.period && isOverdue(standing, each),
  );
  if (!late || late.accessUntil === null) return null;
  const { language } = mail;
  const { order, provider } = late;
  return {
    ...mailTexts(mail, 'mail.paymentFailed.subject', 'mail.paymentFailed.text', {
      plan: presentPlan(language, order),
      until: mailMoment(language, new Date(late.accessUntil)),
      provider: PROVIDER_NAME[provider],
    }),
    action: {
      label: translate(language, 'mail.paymentFailed.action'),
      url: `${publicUrl}/${language}/subscription`,
    },
    note: translate(language, 'mail.paymentFailed.note'),
  };
}
