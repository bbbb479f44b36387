import type { Checkout, CheckoutAnswer } from '#contract/billing.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { newId } from '#server/platform/ids.ts';
import type { Language } from '#server/platform/translate.ts';
import { closeOrder } from './close-order.ts';
import { confirmInTime } from './confirm-order.ts';
import { ensurePurchasable } from './ensure-purchasable.ts';
import { limitActs } from './limit-acts.ts';
import { findOffer } from './list-offers.ts';
import { openCheckout } from './open-checkout.ts';
import { insertOrder, lockAccount, type NewOrder, type OrderRow, selectOpenOrders } from './order-store.ts';
import { publishBilling } from './publish-billing.ts';
import { askSoon } from './question-store.ts';
import { CHECKOUT_MARGIN_MS, endOfCheckout } from './rules.ts';

/** A buyer who comes back so soon after the checkout was opened has not paid on it. */
const FRESH_MS = 10_000;
const PATIENCE_MS = 5_000;
const CLAIMS = 3;
/** A webhook is quicker than this. */
const FIRST_ASK_MS = 15_000;

/**
 * Begins a purchase, or goes on with the one that is open for the same thing. Throws `not_configured` naming the setting,
 * `rate_limited`, `forbidden` for another user's id, `plan_already_active`, `checkout_blocked`, `payment_provider_failed`.
 */
export async function startCheckout(
  deps: Deps,
  userId: string,
  wanted: Checkout,
  language: Language,
): Promise<CheckoutAnswer> {
  if (wanted.userId !== undefined && wanted.userId !== userId) throw new AppError('forbidden');
  const provider = deps.providers[wanted.provider];
  if (!provider)
    throw new AppError('not_configured', { setting: `${wanted.provider.toUpperCase()}_API_KEY` });
  await limitActs(deps, userId);
  await learnOfPayments(deps, userId, wanted);
  await ensurePurchasable(deps, userId, wanted);
  const order = await claimOrder(deps, offerOf(deps, userId, wanted));
  return {
    redirectUrl: order.checkoutUrl ?? (await openCheckout(deps, provider, order, language)),
    orderId: order.id,
  };
}

function offerOf(deps: Deps, userId: string, { provider, planKey, cycle }: Checkout): NewOrder {
  const terms = findOffer(deps.config, provider, planKey, cycle);
  if (!terms) throw new AppError('not_configured', { setting: `${provider.toUpperCase()}_API_KEY` });
  return { id: newId(), userId, ...terms, createdAt: deps.clock.now() };
}

/** A buyer who paid and comes back must not be sold the same again, so the provider is asked first. */
async function learnOfPayments(deps: Deps, userId: string, { planKey, cycle }: Checkout): Promise<void> {
  const open = await selectOpenOrders(deps.database.sql, userId);
  const old = deps.clock.now().getTime() - FRESH_MS;
  const same = open.filter(
    (each) => each.planKey === planKey && each.cycle === cycle && each.checkoutUrl !== null,
  );
  await Promise.all(
    same
      .filter(({ createdAt }) => createdAt.getTime() < old)
      .map((order) => confirmInTime(deps, order, PATIENCE_MS)),
  );
}

/** The open order for the same thing on the same terms, else a new one; one that is out of date is closed. */
async function claimOrder(deps: Deps, offer: NewOrder): Promise<OrderRow> {
  for (let claim = 0; claim < CLAIMS; claim += 1) {
    const { order, isUsable, isNew } = await findOrInsert(deps, offer);
    if (isNew)
      publishBilling(deps, order.userId, { orders: [order], subscription: undefined, balance: null });
    if (isUsable) return order;
    await closeOrder(deps, order, 'expired');
  }
  throw new AppError('conflict');
}

interface Found {
  order: OrderRow;
  isNew: boolean;
  /** Is it still what is on offer, and its page open. */
  isUsable: boolean;
}

function findOrInsert(deps: Deps, offer: NewOrder): Promise<Found> {
  const now = deps.clock.now();
  return deps.database.sql.begin(async (tx) => {
    await lockAccount(tx, offer.userId);
    const open = await selectOpenOrders(tx, offer.userId);
    const known = open.find((each) => !each.confirming && isSameThing(each, offer));
    if (known) return { order: known, isNew: false, isUsable: isOnOffer(known, offer, now) };
    const order = await insertOrder(tx, offer);
    await askSoon(tx, offer.userId, new Date(now.getTime() + FIRST_ASK_MS));
    return { order, isNew: true, isUsable: true };
  });
}

function isSameThing(left: NewOrder, right: NewOrder): boolean {
  return left.provider === right.provider && left.planKey === right.planKey && left.cycle === right.cycle;
}

function isOnOffer(order: OrderRow, offer: NewOrder, now: Date): boolean {
  const isOnTerms =
    order.productId === offer.productId &&
    order.priceMinor === offer.priceMinor &&
    order.credits === offer.credits;
  return isOnTerms && now.getTime() < endOfCheckout(order) - CHECKOUT_MARGIN_MS;
}
