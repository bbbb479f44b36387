import { FREE_CREDITS } from '#server/catalogue/plans.ts';
import { mailTexts } from '#server/platform/mail/mail-texts.ts';
import type { MailContent } from '#server/platform/mail/render-mail.ts';
import { translate } from '#server/platform/translate.ts';
import { type EndReason, endReasonOf, periodKeyOf } from '../projection/list-billing-mails.ts';
import type { BillingNote } from './compose-billing-mail.ts';
import { presentPlan } from './present-purchase.ts';

const REASONS: Record<EndReason, string> = {
  refunded: 'mail.planEnded.refunded',
  disputed: 'mail.planEnded.disputed',
  unpaid: 'mail.planEnded.unpaid',
  cancelled: 'mail.planEnded.cancelled',
};

/** The plan is not usable any more, and why; not wanted where there is one again. */
export function composePlanEnded({ mail, standing, publicUrl, brand }: BillingNote): MailContent | null {
  const [shown] = standing.subscriptions;
  const reason = shown && endReasonOf(shown, standing.now);
  if (!shown || !reason || periodKeyOf(standing, shown) !== mail.params.period) return null;
  const { language } = mail;
  const plan = presentPlan(language, shown.order);
  const leadsToOrders = reason === 'refunded' || reason === 'disputed';
  const texts = mailTexts(mail, 'mail.planEnded.subject', REASONS[reason], {
    plan,
    support: brand.supportEmail,
  });
  return {
    ...texts,
    paragraphs: [...texts.paragraphs, translate(language, 'mail.planEnded.after', { credits: FREE_CREDITS })],
    action: {
      label: translate(language, leadsToOrders ? 'mail.planEnded.toOrders' : 'mail.planEnded.toPricing'),
      url: `${publicUrl}/${language}/${leadsToOrders ? 'orders' : 'pricing'}`,
    },
  };
}
