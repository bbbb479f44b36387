import { expect, it } from 'vitest';
import type { HeldSubscription } from '#contract/billing.ts';
import { heldSubscription } from '#test/billing/held-subscription.ts';
import { daysLeft, outlookText } from './status-text.ts';

it('rounds up to whole days and never falls below none', () => {
  const day = 86_400_000;
  expect([-day, 0, 1, day, day + 1, 30 * day].map((ms) => daysLeft(1000 + ms, 1000))).toEqual([
    0, 0, 1, 1, 2, 30,
  ]);
});

it('a late plan asks for a look at the payment method while it renews, and not once it was cancelled', () => {
  const late = heldSubscription({ state: 'past_due' });
  const outlook = (held: HeldSubscription) => outlookText((key) => key, 'en', held, false);
  expect([outlook(late), outlook({ ...late, renews: false })]).toEqual([
    'subscription.pastDue',
    'subscription.endsOn',
  ]);
});
