import {
  type BillingStatus,
  type Cycle,
  type HeldSubscription,
  isDowngrade,
  type PlanKey,
} from '#contract/billing.ts';

/** How a plan that is offered stands to what the reader has. */
export type PlanStanding =
  | { kind: 'new' }
  /** The reader has it, and it renews. */
  | { kind: 'current' }
  /** Paid for as it seems, not confirmed yet. */
  | { kind: 'confirming' }
  /** The reader has it, and it ends, or its renewal is late. */
  | { kind: 'ending' | 'late'; held: HeldSubscription }
  /** The reader has another plan, or the same one by another cycle. */
  | { kind: 'upgrade' | 'downgrade' | 'cycle'; from: PlanKey; until: number | null }
  /** A lower one, long before what the reader has ends: it follows then, and nothing is charged today. */
  | { kind: 'later'; from: PlanKey; until: number }
  /** It is noted as what follows, and can be paid for at `opens`. */
  | { kind: 'noted'; from: PlanKey; opens: number; until: number }
  /** Nothing can be bought while a payment is under dispute. */
  | { kind: 'blocked' }
  /** No payment provider is set up. */
  | { kind: 'unavailable' };

/** So long before a plan ends, the server sells the lower one that follows. */
const OFFER_MS = 3 * 86_400_000;
/** What seems to be paid is credited within this time. */
const CONFIRMING_MS = 10 * 60_000;

/** What buying a plan by a cycle would mean for somebody with this status; null: not known, or nobody signed in. */
export function planStanding(
  plan: PlanKey,
  cycle: Cycle,
  status: BillingStatus | null,
  now = Date.now(),
): PlanStanding {
  if (!status) return { kind: 'new' };
  const own = status.subscriptions.filter((each) => each.planKey === plan && each.cycle === cycle);
  if (own.some(({ active, renews, state }) => active && renews && state !== 'past_due'))
    return { kind: 'current' };
  const isOwed = status.uncredited.length > 0;
  if (own.some(({ state, updatedAt }) => state === 'pending' && !isOwed && now - updatedAt < CONFIRMING_MS))
    return { kind: 'confirming' };
  if (status.checkoutBlocked) return { kind: 'blocked' };
  if (status.providers.length === 0) return { kind: 'unavailable' };
  const held = own.find(({ active }) => active);
  if (held) return { kind: held.renews ? 'late' : 'ending', held };
  return standingBeside({ planKey: plan, cycle }, status, now);
}

function standingBeside(
  to: { planKey: PlanKey; cycle: Cycle },
  { active, planKey, cycle, expiresAt: until, wish }: BillingStatus,
  now: number,
): PlanStanding {
  if (!active || planKey === null || cycle === null) return { kind: 'new' };
  const from = planKey;
  if (isDowngrade({ planKey, cycle }, to)) {
    if (until === null || until - now <= OFFER_MS) return { kind: 'downgrade', from, until };
    const isNoted = wish?.planKey === to.planKey && wish.cycle === to.cycle;
    return isNoted ? { kind: 'noted', from, opens: wish.from, until } : { kind: 'later', from, until };
  }
  return { kind: from === to.planKey ? 'cycle' : 'upgrade', from, until };
}
