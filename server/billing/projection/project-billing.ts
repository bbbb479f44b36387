import type { BilledSubscription } from '#contract/billing.ts';
import { planOf, priceOf } from '#server/catalogue/rules.ts';
import { dateOf } from '../facts/period-rules.ts';
import type { ProviderSnapshot } from '../facts/provider-snapshot.ts';
import { type BillingOrder, type Known, linkOrders, NOTHING_KNOWN, type Quarantined } from './link-orders.ts';
import { listQuarantine } from './list-quarantine.ts';
import { projectCancellations, type WantedCancellation } from './project-cancellations.ts';
import { projectGrants, type WantedGrant, type WantedRevocation } from './project-grants.ts';
import { type ProjectedOrder, projectOrders } from './project-orders.ts';
import { projectQuestions, type Question } from './project-questions.ts';
import {
  isLive,
  type Moment,
  type ProjectedSubscription,
  projectSubscriptions,
} from './project-subscriptions.ts';

/** The state of a user's purchases that the facts lead to. Applying it twice changes nothing. */
export interface BillingProjection {
  /** The highest usable plan, else one that is about to begin, else the last one that ended. */
  subscription: BilledSubscription | null;
  /** When that plan stops being usable unless new facts arrive: later than its `expiresAt` by the grace. Null: not usable. */
  accessUntil: Date | null;
  /** Every subscription but the failing ones, the shown one first. Several that renew are shown to the user. */
  subscriptions: ProjectedSubscription[];
  /** Subscriptions that were never paid for and whose charges fail: they are ended like the others, and count for nothing else. */
  failing: ProjectedSubscription[];
  orders: ProjectedOrder[];
  grants: WantedGrant[];
  revocations: WantedRevocation[];
  cancellations: WantedCancellation[];
  /**
   * No free month begins before this time, because a plan is paid. A plan in grace does not delay it, so that its user can send. Null:
   * nothing delays it.
   */
  freePausedUntil: Date | null;
  /** Charges under dispute, by payment key: no new checkout until an operator clears them. */
  disputes: string[];
  quarantine: Quarantined[];
  /** The questions that the providers should be asked. */
  questions: Question[];
  /** When time alone changes this projection next. */
  nextChangeAt: Date | null;
}

/**
 * Computes the state of one user's purchases at a moment from the orders and all facts. Pure: equal snapshots give equal projections,
 * where the same was booked before; that decides only what the snapshot leaves open or contradicts.
 * Grants and revocations do not depend on the moment, so that late news grants what it would have granted in time.
 */
export function projectBilling(
  snapshot: ProviderSnapshot,
  orders: readonly BillingOrder[],
  moment: Moment,
  known: Known = NOTHING_KNOWN,
): BillingProjection {
  const { now } = moment;
  const linked = linkOrders(snapshot, orders, known);
  const { paid } = linked;
  const { grants, revocations, twice } = projectGrants(snapshot, paid, known.booked);
  const all = projectSubscriptions(snapshot, orders, linked, moment).sort(
    (a, b) => compare(weightsOf(b, now), weightsOf(a, now)) || (keyOf(a) < keyOf(b) ? -1 : 1),
  );
  const subscriptions = all.filter(({ isFailing }) => !isFailing);
  const found = { unpaying: linked.quarantine, twice, paid, subscriptions };
  const quarantine = listQuarantine(snapshot, orders, found);
  const [shown] = subscriptions;
  const live = subscriptions.filter((each) => isLive(each, now));
  return {
    subscription: shown ? presentProjected(shown, now) : null,
    accessUntil: shown && isLive(shown, now) ? dateOf(shown.accessUntil) : null,
    subscriptions,
    failing: all.filter(({ isFailing }) => isFailing),
    orders: projectOrders(snapshot, orders, linked),
    grants,
    revocations,
    cancellations: projectCancellations(all, now, linked.blocked),
    freePausedUntil: dateOf(Math.max(0, ...live.map(({ freeFrom }) => freeFrom ?? 0)) || null),
    disputes: [...snapshot.disputes.keys()].sort(),
    quarantine,
    questions: projectQuestions(snapshot, subscriptions, quarantine, now),
    nextChangeAt: nextChange(subscriptions, now),
  };
}

/** The criteria of the shown subscription, the weightiest first. */
function weightsOf(each: ProjectedSubscription, now: number): number[] {
  const rank = isLive(each, now) ? 2 : each.state === 'pending' ? 1 : 0;
  const tier = rank === 2 ? priceOf(each.order.planKey, 'monthly').totalCents : 0;
  return [rank, tier, each.accessUntil ?? each.paidUntil ?? 0, each.order.createdAt.getTime()];
}

function compare(left: number[], right: number[]): number {
  return (
    left.map((weight, index) => weight - (right[index] ?? 0)).find((difference) => difference !== 0) ?? 0
  );
}

function keyOf({ order, subscriptionId }: ProjectedSubscription): string {
  return `${order.id}:${subscriptionId}`;
}

/** One subscription with the specification's fields and its state. */
export function presentProjected(shown: ProjectedSubscription, now: number): BilledSubscription {
  const { order, provider, state, paidUntil, accessUntil, currentPeriodStart, updatedAt } = shown;
  const active = isLive(shown, now);
  return {
    planKey: order.planKey,
    active,
    cycle: order.cycle,
    provider,
    includesComputerUse: planOf(order.planKey).includesComputerUse,
    expiresAt: state === 'past_due' ? accessUntil : paidUntil,
    updatedAt,
    state,
    cancelAtPeriodEnd: active && state === 'scheduled_cancel',
    currentPeriodStart,
  };
}

function nextChange(subscriptions: readonly ProjectedSubscription[], now: number): Date | null {
  const times = subscriptions.flatMap(({ currentPeriodStart, paidUntil, accessUntil }) =>
    [currentPeriodStart, paidUntil, accessUntil].filter((time) => time !== null && time > now),
  );
  return times.length > 0 ? dateOf(Math.min(...times.map(Number))) : null;
}
