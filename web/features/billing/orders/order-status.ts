import type { Order } from '#contract/billing.ts';
import type { Language } from '#contract/choices.ts';
import { formatCharge } from '#web/features/catalogue/plan-price.ts';
import type { Translate } from '#web/lib/translate.ts';

/** Where an order stands, in words. */
export function orderStatusText(t: Translate, { status, confirming, uncredited }: Order): string {
  if (status !== 'open') return t(`orders.status.${status}`);
  if (uncredited !== null) return t('orders.status.held');
  return t(confirming ? 'orders.status.confirming' : 'orders.status.open');
}

/** What an order costs. */
export function orderPriceText(language: Language, { priceUSD }: Pick<Order, 'priceUSD'>): string {
  return formatCharge(language, priceUSD);
}
