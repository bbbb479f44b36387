import type { Checkout, CheckoutAnswer } from '#contract/billing.ts';
import type { Language } from '#contract/choices.ts';
import { AppError } from '#server/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { findOffer } from '../projection/list-offers.ts';
import { type NewOrder, selectOpenOrders } from '../state/order-store.ts';
import { type ConfirmDeps, confirmInTime } from './confirm-order.ts';
import { limitProviderCalls } from './limit-provider-calls.ts';
import { openCheckout } from './open-checkout.ts';
import { openOrder } from './open-order.ts';
import { requirePurchasable } from './require-purchasable.ts';

/** A buyer who comes back so soon after the checkout was opened has not paid on it. */
const FRESH_MS = 10_000;
const CONFIRM_TIMEOUT_MS = 5_000;

/**
 * Begins a purchase, or goes on with the one that is open for the same thing. Throws `not_configured` naming the setting, `rate_limited`,
 * `forbidden` for another user's id, `plan_already_active`, `downgrade_charges_today`, `checkout_blocked`, `payment_provider_failed`.
 */
export async function startCheckout(
  deps: ConfirmDeps,
  userId: string,
  wanted: Checkout,
  language: Language,
): Promise<CheckoutAnswer> {
  if (wanted.userId !== undefined && wanted.userId !== userId) throw new AppError('forbidden');
  const provider = deps.providers[wanted.provider];
  if (!provider)
    throw new AppError('not_configured', { setting: `${wanted.provider.toUpperCase()}_API_KEY` });
  await limitProviderCalls(deps, userId);
  await learnOfPayments(deps, userId, wanted);
  await requirePurchasable(deps, userId, wanted);
  const order = await openOrder(deps, offerOf(deps, userId, wanted));
  return {
    redirectUrl: order.checkoutUrl ?? (await openCheckout(deps, provider, order, language)),
    orderId: order.id,
  };
}

function offerOf(deps: ConfirmDeps, userId: string, { provider, planKey, cycle }: Checkout): NewOrder {
  const terms = findOffer(deps.config, provider, planKey, cycle);
  if (!terms) throw new AppError('not_configured', { setting: `${provider.toUpperCase()}_API_KEY` });
  return { id: newId(), userId, ...terms, createdAt: deps.clock.now() };
}

/** A buyer who paid and comes back must not be sold the same again, so the provider is asked first. */
async function learnOfPayments(
  deps: ConfirmDeps,
  userId: string,
  { planKey, cycle }: Checkout,
): Promise<void> {
  const open = await selectOpenOrders(deps.database.sql, userId);
  const old = deps.clock.now().getTime() - FRESH_MS;
  const same = open.filter(
    (each) => each.planKey === planKey && each.cycle === cycle && each.checkoutUrl !== null,
  );
  await Promise.all(
    same
      .filter(({ createdAt }) => createdAt.getTime() < old)
      .map((order) => confirmInTime(deps, order, CONFIRM_TIMEOUT_MS)),
  );
}
