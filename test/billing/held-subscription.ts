import type { HeldSubscription } from '#contract/billing.ts';

/** A subscription as `GET /api/subscription` says it, active and renewing, but for `change`. */
export function heldSubscription(change: Partial<HeldSubscription> = {}): HeldSubscription {
  return {
    planKey: 'gemini_basic',
    active: true,
    cycle: 'monthly',
    provider: 'creem',
    includesComputerUse: false,
    expiresAt: 0,
    updatedAt: 0,
    state: 'active',
    cancelAtPeriodEnd: false,
    currentPeriodStart: 0,
    orderId: '0199ffff-ffff-7fff-bfff-ffffffffffff',
    subscriptionId: 'sub_1',
    renews: true,
    cancelling: false,
    canCancel: true,
    canResume: false,
    offersResume: true,
    ...change,
  };
}
