import type { Order } from '#contract/billing.ts';
import type { Translate } from '#web/lib/translate.ts';

/** Where an order stands, in words. */
export function orderStatusText(t: Translate, { status, confirming, uncredited }: Order): string {
  if (status !== 'open') return t(`orders.status.${status}`);
  if (uncredited !== null) return t('orders.status.held');
  return t(confirming ? 'orders.status.confirming' : 'orders.status.open');
}
