import type { Brand } from '#contract/brand.ts';
import type { Provider } from '#contract/choices.ts';
import type { Deps } from '#server/deps.ts';
import type { ComposeMail, WantedMail } from '#server/platform/mail/mail-queue.ts';
import type { MailContent } from '#server/platform/mail/render-mail.ts';
import type { Standing } from '../projection/list-billing-mails.ts';
import { readBilling } from '../state/read-billing.ts';
import { readStanding } from '../state/request-billing-mails.ts';
import { findUncredited } from '../state/uncredited-store.ts';
import { composeDowngradeOffer } from './compose-downgrade-offer.ts';
import { composePaymentFailed } from './compose-payment-failed.ts';
import { composePlanEnded } from './compose-plan-ended.ts';
import { composeReceipt } from './compose-receipt.ts';
import { composeRenewalReminder } from './compose-renewal-reminder.ts';
import { composeUncreditedCharge } from './compose-uncredited-charge.ts';

/** What the mails about purchases are composed with. */
export type ComposeDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'providers'>;

/** A mail about purchases, as they stand when it is sent. */
export interface BillingNote {
  mail: WantedMail;
  standing: Standing;
  /** Whether a renewal that was ended can be resumed with this provider. */
  offersResume: (provider: Provider) => boolean;
  publicUrl: string;
  brand: Brand;
}

/** Who composes the mails about purchases, by template. */
export function composeBillingMail(deps: ComposeDeps): Record<string, ComposeMail> {
  const standingNow =
    (compose: (note: BillingNote) => MailContent | null): ComposeMail =>
    async (mail) => {
      const userId = String(mail.params.userId);
      const billing = await readBilling(deps, userId);
      const standing = await readStanding(deps, deps.database.sql, userId, billing);
      const { publicUrl, brand } = deps.config;
      const offersResume = (provider: Provider) => deps.providers[provider]?.offers.resume ?? false;
      return compose({ mail, standing, offersResume, publicUrl, brand });
    };
  return {
    receipt: standingNow(composeReceipt),
    renewal_reminder: standingNow(composeRenewalReminder),
    payment_failed: standingNow(composePaymentFailed),
    plan_ended: standingNow(composePlanEnded),
    downgrade_offer: standingNow(composeDowngradeOffer),
    uncredited_charge: async (mail) => {
      const { provider, transactionId } = mail.params;
      const charge = await findUncredited(deps.database.sql, String(provider), String(transactionId));
      return composeUncreditedCharge(mail, charge, deps.config.publicUrl);
    },
  };
}
