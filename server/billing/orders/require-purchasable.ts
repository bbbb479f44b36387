import type { Checkout } from '#contract/billing.ts';
import { CONFIRMING_MS, isDowngrade, OFFER_MS } from '#contract/plan-rank.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { isLive } from '../projection/project-subscriptions.ts';
import { readBilling } from '../state/read-billing.ts';
import { hasUncredited } from '../state/uncredited-store.ts';
import { readCheckoutBlock } from './read-checkout-block.ts';

/**
 * Throws `checkout_blocked` while a dispute is open, and `plan_already_active` when the same plan with the same cycle is paid
 * and goes on, or seems to be paid since a few minutes, at any provider. What ends or is past due, or was paid and could not be
 * credited, may be bought anew: the newer one replaces it. Throws `downgrade_charges_today` for a lower plan
 * long before what runs ends, unless the user knows that it is charged now.
 */
export async function requirePurchasable(
  deps: Pick<Deps, 'database' | 'clock' | 'config' | 'providers'>,
  userId: string,
  { planKey, cycle, chargeNow = false }: Pick<Checkout, 'planKey' | 'cycle' | 'chargeNow'>,
): Promise<void> {
  if (await readCheckoutBlock(deps, userId)) throw new AppError('checkout_blocked');
  const { endings, projection } = await readBilling(deps, userId);
  const ending = new Set(endings.keys());
  for (const each of projection.cancellations) ending.add(`${each.provider}:${each.subscriptionId}`);
  const now = deps.clock.now().getTime();
  const isOwed = await hasUncredited(deps.database.sql, userId);
  const standing = projection.subscriptions.find(
    (each) =>
      each.order.planKey === planKey &&
      each.order.cycle === cycle &&
      ((each.state === 'pending' && !isOwed && now - each.updatedAt < CONFIRMING_MS) ||
        (each.state === 'active' && isLive(each, now))) &&
      each.renews &&
      !ending.has(`${each.provider}:${each.subscriptionId}`),
  );
  if (standing) throw new AppError('plan_already_active');
  const running = projection.subscriptions.find((each) => isLive(each, now));
  const isEarly = (running?.paidUntil ?? 0) - now > OFFER_MS;
  if (running && isEarly && !chargeNow && isDowngrade(running.order, { planKey, cycle }))
    throw new AppError('downgrade_charges_today');
}
