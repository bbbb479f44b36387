import type { BillingStatus, Cycle, HeldSubscription, PlanKey } from '#contract/billing.ts';

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
  /** Nothing can be bought while a payment is under dispute. */
  | { kind: 'blocked' }
  /** No payment provider is set up. */
  | { kind: 'unavailable' };

const RANK: Record<PlanKey, number> = { gemini_basic: 1, gemini_pro: 2 };

/** What buying a plan by a cycle would mean for somebody with this status; null: not known, or nobody signed in. */
export function planStanding(plan: PlanKey, cycle: Cycle, status: BillingStatus | null): PlanStanding {
  if (!status) return { kind: 'new' };
  const own = status.subscriptions.filter((each) => each.planKey === plan && each.cycle === cycle);
  if (own.some(({ active, renews, state }) => active && renews && state !== 'past_due'))
    return { kind: 'current' };
  if (own.some(({ state }) => state === 'pending')) return { kind: 'confirming' };
  if (status.checkoutBlocked) return { kind: 'blocked' };
  if (status.providers.length === 0) return { kind: 'unavailable' };
  const held = own.find(({ active }) => active);
  if (held) return { kind: held.renews ? 'late' : 'ending', held };
  const { active, planKey: from, expiresAt: until } = status;
  if (!active || from === null) return { kind: 'new' };
  if (from === plan) return { kind: 'cycle', from, until };
  return { kind: RANK[plan] > RANK[from] ? 'upgrade' : 'downgrade', from, until };
}
