import { expect, it } from 'vitest';
import type { HeldSubscription } from '#contract/billing.ts';
import { daysLeft, outlookText } from './status-text.ts';

it('rounds up to whole days and never falls below none', () => {
  const day = 86_400_000;
  expect([-day, 0, 1, day, day + 1, 30 * day].map((ms) => daysLeft(1000 + ms, 1000))).toEqual([
    0, 0, 1, 1, 2, 30,
  ]);
});

it('a late plan asks for a look at the payment method while it renews, and not once it was cancelled', () => {
  const late: HeldSubscription = {
    planKey: 'gemini_basic',
    active: true,
    cycle: 'monthly',
    provider: 'creem',
    includesComputerUse: false,
    expiresAt: 0,
    updatedAt: 0,
    state: 'past_due',
    cancelAtPeriodEnd: false,
    currentPeriodStart: 0,
    orderId: '0199ffff-ffff-7fff-bfff-ffffffffffff',
    subscriptionId: 'sub_1',
    renews: true,
    cancelling: false,
    canCancel: true,
    canResume: false,
    offersResume: true,
  };
  const outlook = (held: HeldSubscription) => outlookText((key) => key, 'en', held, false);
  expect([outlook(late), outlook({ ...late, renews: false })]).toEqual([
    'subscription.pastDue',
    'subscription.endsOn',
  ]);
});
