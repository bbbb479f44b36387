import { PROVIDER_NAME } from '#contract/choices.ts';
import { formatMoney } from '#i18n/formats.ts';
import { mailTexts } from '#server/platform/mail/mail-texts.ts';
import { mailDay } from '#server/platform/mail/mail-times.ts';
import type { MailContent } from '#server/platform/mail/render-mail.ts';
import { translate } from '#server/platform/translate.ts';
import { isReminderDue, nextAmount, periodKeyOf } from '../projection/list-billing-mails.ts';
import type { BillingNote } from './compose-billing-mail.ts';
import { presentPlan } from './present-purchase.ts';

/** A renewal is near; not wanted where it was cancelled meanwhile, or where it is too late to say so. */
export function composeRenewalReminder({ mail, standing, publicUrl }: BillingNote): MailContent | null {
  const due = standing.subscriptions.find(
    (each) => periodKeyOf(standing, each) === mail.params.period && isReminderDue(standing, each),
  );
  if (!due || due.paidUntil === null) return null;
  const { language } = mail;
  const { order, paidUntil } = due;
  return {
    ...mailTexts(mail, 'mail.renewalReminder.subject', 'mail.renewalReminder.text', {
      plan: presentPlan(language, order),
      date: mailDay(language, new Date(paidUntil)),
      amount: formatMoney(language, nextAmount(standing, order), order.currency),
      provider: PROVIDER_NAME[order.provider],
    }),
    action: {
      label: translate(language, 'mail.renewalReminder.action'),
      url: `${publicUrl}/${language}/subscription`,
    },
    note: translate(language, 'mail.renewalReminder.note'),
  };
}
