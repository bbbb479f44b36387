import { brandName } from '#contract/brand.ts';
import { PROVIDER_NAME } from '#contract/choices.ts';
import { orderNumber } from '#contract/order-number.ts';
import { formatMoney } from '#i18n/formats.ts';
import { mailTexts } from '#server/platform/mail/mail-texts.ts';
import { mailDay, mailSpan } from '#server/platform/mail/mail-times.ts';
import type { MailContent } from '#server/platform/mail/render-mail.ts';
import { translate } from '#server/platform/translate.ts';
import type { BillingNote } from './compose-billing-mail.ts';
import { presentPlan } from './present-purchase.ts';

/** One charge, as it was made. */
export function composeReceipt({ mail, standing, publicUrl, brand }: BillingNote): MailContent | null {
  const charge = standing.paid.find(({ paymentKey }) => paymentKey === mail.params.paymentKey);
  if (!charge) return null;
  const { language } = mail;
  const { order } = charge;
  const say = (key: string) => translate(language, key);
  const plan = presentPlan(language, order);
  const provider = PROVIDER_NAME[order.provider];
  const isGranted = standing.granting.has(charge.paymentKey);
  const text = isGranted ? 'mail.receipt.text' : 'mail.receipt.textNothing';
  return {
    ...mailTexts(mail, 'mail.receipt.subject', text, { plan, provider }),
    facts: [
      [say('orders.what'), plan],
      [say('mail.receipt.amount'), formatMoney(language, charge.amount, order.currency)],
      [
        say('mail.receipt.credits'),
        isGranted
          ? translate(language, 'credits.amount', { amount: order.credits })
          : say('orders.grantedNothing'),
      ],
      [say('mail.receipt.paidAt'), mailDay(language, new Date(charge.paidAt))],
      [say('orders.period'), mailSpan(language, new Date(charge.start), new Date(charge.end))],
      [say('orders.provider'), provider],
      [say('orders.seller'), `${brandName(brand, language)} · ${brand.supportEmail}`],
      [say('orders.number'), orderNumber(order)],
      [say('orders.transaction'), charge.transactionId],
    ],
    action: { label: say('mail.receipt.action'), url: `${publicUrl}/${language}/orders/${order.id}` },
    note: translate(language, 'mail.receipt.note', { provider }),
  };
}
