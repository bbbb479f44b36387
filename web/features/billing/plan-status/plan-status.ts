import type { BillingStatus, Cycle, HeldSubscription, PlanKey } from '#contract/billing.ts';
import { CONFIRMING_MS, isDowngrade, OFFER_MS } from '#contract/plan-rank.ts';

interface Terms {
  planKey: PlanKey;
  cycle: Cycle;
}

/** How a plan that is offered stands to what the reader has. */
export type PlanStatus =
  | { kind: 'new' }
  /** The reader has it, and it renews. */
  | { kind: 'current' }
  /** Paid for as it seems, not confirmed yet. */
  | { kind: 'confirming' }
  /** The reader has it, and it ends, or its renewal is late. */
  | { kind: 'ending' | 'late'; held: HeldSubscription }
  /** The reader has another plan, or the same one by another cycle. */
  | { kind: 'upgrade' | 'downgrade' | 'cycle'; from: Terms; until: number | null }
  /** A lower one, long before what the reader has ends: it follows then, can be paid for at `opens`, and nothing is charged today. */
  | { kind: 'later'; from: Terms; opens: number; until: number }
  /** It is noted as what follows. */
  | { kind: 'noted'; from: Terms; opens: number; until: number }
  /** Nothing can be bought while a payment is under dispute. */
  | { kind: 'blocked' }
  /** No payment provider is set up. */
  | { kind: 'unavailable' };

/** True when a payment for this subscription was received and not credited: the operator looks at it, and the page waits for nothing. */
export function isOwed(
  { uncredited }: Pick<BillingStatus, 'uncredited'>,
  { orderId }: Pick<HeldSubscription, 'orderId'>,
): boolean {
  return uncredited.some((charge) => charge.orderId === null || charge.orderId === orderId);
}

/** True when a payment for it seems to be made, and is soon confirmed. */
function isConfirming(status: BillingStatus, held: HeldSubscription, now: number): boolean {
  return held.state === 'pending' && !isOwed(status, held) && now - held.updatedAt < CONFIRMING_MS;
}

/** True when a payment for any plan seems to be made, and is soon confirmed. */
export function isAnyConfirming(status: BillingStatus | null, now = Date.now()): boolean {
  return status?.subscriptions.some((each) => isConfirming(status, each, now)) ?? false;
}

/** What buying a plan by a cycle would mean for a user with this status; null: not known, or signed out. */
export function planStatusOf(
  plan: PlanKey,
  cycle: Cycle,
  status: BillingStatus | null,
  now = Date.now(),
): PlanStatus {
  if (!status) return { kind: 'new' };
  const own = status.subscriptions.filter((each) => each.planKey === plan && each.cycle === cycle);
  if (own.some(({ active, renews, state }) => active && renews && state !== 'past_due'))
    return { kind: 'current' };
  if (own.some((each) => isConfirming(status, each, now))) return { kind: 'confirming' };
  if (status.checkoutBlocked) return { kind: 'blocked' };
  if (status.providers.length === 0) return { kind: 'unavailable' };
  const held = own.find(({ active }) => active);
  // One that a higher one replaced is bought as a lower one.
  const isShown = status.planKey === plan && status.cycle === cycle;
  if (held && (isShown || held.canResume)) return { kind: held.renews ? 'late' : 'ending', held };
  return statusBeside({ planKey: plan, cycle }, status, now);
}

function statusBeside(
  to: Terms,
  { active, planKey, cycle, expiresAt: until, state, wish }: BillingStatus,
  now: number,
): PlanStatus {
  if (!active || planKey === null || cycle === null) return { kind: 'new' };
  const from = { planKey, cycle };
  if (isDowngrade(from, to)) {
    if (until === null || until - now <= OFFER_MS) return { kind: 'downgrade', from, until };
    const isNoted = wish?.planKey === to.planKey && wish.cycle === to.cycle;
    return isNoted
      ? { kind: 'noted', from, opens: wish.from, until }
      : { kind: 'later', from, opens: until - OFFER_MS, until };
  }
  // Credits of a plan whose renewal is late have ended before it.
  return { kind: planKey === to.planKey && state !== 'past_due' ? 'cycle' : 'upgrade', from, until };
}
