import type { Provider } from '#contract/billing.ts';
import type { WantedMail } from '#server/platform/mail-queue.ts';
import { mailTexts } from '#server/platform/mail-texts.ts';
import { mailMoment } from '#server/platform/mail-times.ts';
import type { MailContent } from '#server/platform/render-mail.ts';
import { translate } from '#server/platform/translate.ts';
import type { UncreditedRow } from '../uncredited-store.ts';
import { PROVIDER_NAME, presentMoney } from './present-purchase.ts';

/** For the operator: a charge was paid and grants nothing; not wanted where that was mended meanwhile. */
export function composeUncreditedCharge(
  mail: WantedMail,
  charge: UncreditedRow | null,
  publicUrl: string,
): MailContent | null {
  if (!charge) return null;
  const { language } = mail;
  const name = (field: string) => translate(language, `mail.uncreditedCharge.${field}`);
  const { amountMinor, currency, paidAt } = charge;
  return {
    ...mailTexts(mail, 'mail.uncreditedCharge.subject', 'mail.uncreditedCharge.text', {
      reference: charge.transactionId,
    }),
    facts: [
      [name('provider'), PROVIDER_NAME[charge.provider as Provider]],
      [name('charge'), charge.transactionId],
      [name('reason'), charge.reason],
      ...(amountMinor !== null && currency !== null
        ? [[name('amount'), presentMoney(language, amountMinor, currency)] satisfies [string, string]]
        : []),
      ...(paidAt ? [[name('paidAt'), mailMoment(language, paidAt)] satisfies [string, string]] : []),
      ...(charge.userId ? [[name('user'), charge.userId] satisfies [string, string]] : []),
      ...(charge.orderId ? [[name('order'), charge.orderId] satisfies [string, string]] : []),
    ],
    action: { label: name('action'), url: `${publicUrl}/${language}/contact` },
  };
}
