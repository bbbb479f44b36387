import type { BillingStatus, HeldSubscription } from '#contract/billing.ts';
import { PROVIDERS } from '#contract/choices.ts';
import type { Deps } from '#server/deps.ts';
import { readCheckoutBlock } from '../orders/read-checkout-block.ts';
import { nextAmount } from '../projection/list-billing-mails.ts';
import { presentProjected } from '../projection/project-billing.ts';
import { isReplaced } from '../projection/project-cancellations.ts';
import type { ProjectedSubscription } from '../projection/project-subscriptions.ts';
import { projectWish } from '../projection/project-wish.ts';
import { findWish } from '../state/plan-wish-store.ts';
import { type Billing, readBilling } from '../state/read-billing.ts';
import { selectUncreditedOf } from '../state/uncredited-store.ts';
import { readPortal } from './read-portal.ts';

type StatusDeps = Pick<Deps, 'database' | 'clock' | 'config' | 'providers'>;

const NOTHING = {
  planKey: null,
  active: false,
  cycle: null,
  provider: null,
  includesComputerUse: false,
  expiresAt: null,
  updatedAt: null,
  state: null,
  cancelAtPeriodEnd: false,
  currentPeriodStart: null,
} as const;

/** Where the user's subscriptions stand and what can be done with each. */
export async function readBillingStatus(deps: StatusDeps, userId: string): Promise<BillingStatus> {
  const { sql } = deps.database;
  const [billing, disputed, uncredited, wished] = await Promise.all([
    readBilling(deps, userId),
    readCheckoutBlock(deps, userId),
    selectUncreditedOf(sql, userId),
    findWish(sql, userId),
  ]);
  const portal = await readPortal(deps, userId, billing);
  const now = deps.clock.now().getTime();
  const all = billing.projection.subscriptions;
  const held = all.map((each) => presentHeld(deps, billing, each, now));
  const [shown] = held;
  const wish = projectWish(wished, all, billing.endings, now);
  return {
    ...NOTHING,
    ...(shown ? presentShown(shown) : {}),
    subscriptions: held.filter(
      (each) => each.active || each.renews || each.cancelling || each.state === 'pending',
    ),
    portal: portal?.kind ?? null,
    wish: wish && { ...wish, open: now >= wish.from },
    checkoutBlocked: disputed ? 'disputed' : null,
    uncredited: uncredited.map(({ transactionId, provider, orderId, amountMinor, currency, paidAt }) => ({
      provider,
      orderId,
      amountMinor,
      currency,
      reference: transactionId,
      paidAt: paidAt?.getTime() ?? null,
    })),
    providers: PROVIDERS.filter((name) => deps.providers[name]),
  };
}

function presentShown(held: HeldSubscription): Pick<BillingStatus, keyof typeof NOTHING> {
  const { planKey, active, cycle, provider, includesComputerUse, expiresAt, updatedAt } = held;
  const { state, cancelAtPeriodEnd, currentPeriodStart } = held;
  const specified = { planKey, active, cycle, provider, includesComputerUse, expiresAt, updatedAt };
  return { ...specified, state, cancelAtPeriodEnd, currentPeriodStart };
}

/** What the user asked for counts as done as far as they are concerned: we go on until the provider has it. */
function presentHeld(
  { providers }: StatusDeps,
  { snapshot, endings, paid, projection }: Billing,
  each: ProjectedSubscription,
  now: number,
): HeldSubscription {
  const { provider, subscriptionId, order } = each;
  const key = `${provider}:${subscriptionId}`;
  const ending = each.renews ? endings.get(key) : undefined;
  const replaced = isReplaced(each, projection.subscriptions, now);
  const cancelling = each.renews && (ending !== undefined || (replaced && each.paidUntil !== null));
  const presented = presentProjected(each, now);
  const isEnding = cancelling && presented.active;
  const offers = providers[provider]?.offers;
  const isScheduled = snapshot.subscriptions.get(key)?.latest?.status === 'scheduled_cancel';
  const isResumable = presented.active && isScheduled && !each.lastRefunded && (offers?.resume ?? false);
  return {
    ...presented,
    state: isEnding && presented.state === 'active' ? 'scheduled_cancel' : presented.state,
    cancelAtPeriodEnd: presented.cancelAtPeriodEnd || isEnding,
    orderId: order.id,
    subscriptionId,
    renews: each.renews && !cancelling,
    renewal: { amountMinor: nextAmount({ paid }, order), currency: order.currency },
    cancelling,
    canCancel: each.renews && !cancelling && subscriptionId !== null && offers !== undefined,
    canResume: !replaced && (ending?.byUser ?? isResumable),
    offersResume: offers?.resume ?? false,
  };
}
