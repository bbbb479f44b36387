import { formatMoney } from '#i18n/formats.ts';
import { priceOf } from '#server/catalogue/rules.ts';
import { mailTexts } from '#server/platform/mail/mail-texts.ts';
import { mailDay } from '#server/platform/mail/mail-times.ts';
import type { MailContent } from '#server/platform/mail/render-mail.ts';
import { translate } from '#server/platform/translate.ts';
import { isOfferDue, periodKeyOf } from '../projection/list-billing-mails.ts';
import type { BillingNote } from './compose-billing-mail.ts';
import { presentPlan } from './present-purchase.ts';

/** The lower plan that the user wants next can be paid for now; not wanted where it was bought, or the old one goes on. */
export function composeDowngradeOffer({
  mail,
  standing,
  offersResume,
  publicUrl,
}: BillingNote): MailContent | null {
  const { wish } = standing;
  const running = standing.subscriptions.find(
    (each) => periodKeyOf(standing, each) === mail.params.period && isOfferDue(standing, each),
  );
  if (!running || !wish) return null;
  const { language } = mail;
  const canResume = standing.now < wish.until && offersResume(running.order.provider);
  const { totalCents, credits } = priceOf(wish.planKey, wish.cycle);
  return {
    ...mailTexts(mail, 'mail.downgradeOffer.subject', 'mail.downgradeOffer.text', {
      plan: presentPlan(language, running.order),
      next: presentPlan(language, { ...running.order, ...wish }),
      date: mailDay(language, new Date(wish.until)),
      amount: formatMoney(language, totalCents, running.order.currency),
      credits,
    }),
    action: {
      label: translate(language, 'mail.downgradeOffer.action'),
      url: `${publicUrl}/${language}/subscription`,
    },
    ...(canResume ? { note: translate(language, 'mail.downgradeOffer.note') } : {}),
  };
}
