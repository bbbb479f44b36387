import { DAY_MS, MINUTE_MS } from '#contract/time.ts';
import type { PaymentFact } from '../providers/facts.ts';
import { EARLY_MS, endOfCheckout } from './period-rules.ts';

/** The provider's clock may differ from ours by this much. */
const SLACK_MS = 2 * MINUTE_MS;
/** A renewal that was declined may be paid this much later. */
const RENEWAL_MS = 14 * DAY_MS;

/** What a charge without an order's id is compared with. Amounts are minor units; `email` is in lower case. */
interface Terms {
  productId: string;
  priceMinor: number;
  currency: string;
  email: string;
  createdAt: Date;
  checkoutExpiresAt: Date | null;
}

/** True when the charge is on the order's terms to the letter: whom we named, product, currency, and our price before or with tax. */
function isOnTerms(payment: PaymentFact, order: Terms): boolean {
  const { amountMinor, netMinor } = payment;
  return (
    payment.customerEmail?.toLowerCase() === order.email &&
    payment.productId === order.productId &&
    payment.currency === order.currency &&
    (amountMinor === order.priceMinor || (netMinor === order.priceMinor && Number(amountMinor) > netMinor))
  );
}

/** True when the charge may be the first one of an order: on its terms, and paid while its hosted page was open. */
export function fitsOrder(payment: PaymentFact, order: Terms): boolean {
  const paidAt = payment.paidAt?.getTime() ?? Number.NaN;
  return (
    isOnTerms(payment, order) &&
    paidAt >= order.createdAt.getTime() - SLACK_MS &&
    paidAt <= endOfCheckout(order) + SLACK_MS
  );
}

/** True when the charge may pay a period of an order's subscription: on its terms, and paid when one began. */
export function fitsRenewal(payment: PaymentFact, order: Terms): boolean {
  const paidAt = payment.paidAt?.getTime() ?? Number.NaN;
  const start = payment.periodStart?.getTime() ?? Number.NaN;
  return isOnTerms(payment, order) && paidAt >= start - EARLY_MS && paidAt <= start + RENEWAL_MS;
}
