import { MINUTE_MS } from '#contract/time.ts';
import { endOfCheckout } from '../facts/period-rules.ts';

/** News of a payment made at the last moment may take this long. */
const AFTERMATH_MS = 10 * MINUTE_MS;

interface Checkout {
  createdAt: Date;
  checkoutExpiresAt: Date | null;
}

/** True when the time is over in which the order's page could be paid. */
export function isCheckoutOver(order: Checkout, now: Date): boolean {
  return now.getTime() > endOfCheckout(order) + AFTERMATH_MS;
}

/**
 * The order may still be paid, or its payment may still arrive: it is open, or its page is. A card that was declined, a page that was left or
 * terms that changed do not close the page at the provider.
 */
export function mayBePaid(
  order: Checkout & { status: string; checkoutId: string | null },
  now: Date,
): boolean {
  if (order.status === 'open') return true;
  const isGivenUp = order.status === 'failed' || order.status === 'abandoned';
  return isGivenUp && order.checkoutId !== null && !isCheckoutOver(order, now);
}
