import { expect, it } from 'vitest';
import type { BillingStatus, Cycle, HeldSubscription } from '#contract/billing.ts';
import { heldSubscription } from '#test/billing/held-subscription.ts';
import { planStatusOf } from './plan-status.ts';

const END = 1_800_000_000_000;
const DAY = 86_400_000;

const held = (change: Partial<HeldSubscription> = {}) => heldSubscription({ expiresAt: END, ...change });

function status(subscriptions: HeldSubscription[], change: Partial<BillingStatus> = {}): BillingStatus {
  const shown = subscriptions[0];
  return {
    planKey: shown?.planKey ?? null,
    active: shown?.active ?? false,
    cycle: shown?.cycle ?? null,
    provider: shown?.provider ?? null,
    includesComputerUse: false,
    expiresAt: shown?.expiresAt ?? null,
    updatedAt: shown?.updatedAt ?? null,
    state: shown?.state ?? null,
    cancelAtPeriodEnd: shown?.cancelAtPeriodEnd ?? false,
    currentPeriodStart: 0,
    subscriptions,
    portal: null,
    checkoutBlocked: null,
    wish: null,
    uncredited: [],
    providers: ['creem', 'bagelpay'],
    ...change,
  };
}

it('anything is new to a visitor, to somebody on Free, and after a plan ended', () => {
  const ended = held({ active: false, state: 'expired', renews: false });
  for (const one of [null, status([]), status([ended])])
    expect(planStatusOf('gemini_basic', 'monthly', one)).toEqual({ kind: 'new' });
});

it('the plan and cycle that renew are the current ones', () => {
  expect(planStatusOf('gemini_basic', 'monthly', status([held()]))).toEqual({ kind: 'current' });
});

it('a plan whose renewal is late can be bought anew', () => {
  const late = held({ state: 'past_due' });
  expect(planStatusOf('gemini_basic', 'monthly', status([late]))).toEqual({ kind: 'late', held: late });
});

it('a plan that was cancelled is ending', () => {
  const ending = held({ state: 'scheduled_cancel', renews: false, canResume: true });
  expect(planStatusOf('gemini_basic', 'monthly', status([ending]))).toEqual({ kind: 'ending', held: ending });
});

it('a payment that is not confirmed is waited for instead of being bought again', () => {
  const pending = held({ state: 'pending', active: false, expiresAt: null, updatedAt: END });
  const at = (one: BillingStatus, now: number) => planStatusOf('gemini_basic', 'monthly', one, now).kind;
  expect(at(status([pending], { active: false }), END)).toBe('confirming');
  expect(at(status([pending], { active: false }), END + DAY)).toBe('new');
  const owed = {
    reference: 'tran_1',
    provider: 'creem',
    orderId: null,
    amountMinor: 690,
    currency: 'USD',
    paidAt: END,
  } as const;
  const by = (orderId: string | null) =>
    at(status([pending], { active: false, uncredited: [{ ...owed, orderId }] }), END);
  expect([by(null), by(pending.orderId), by('019a0000-0000-7000-8000-000000000000')]).toEqual([
    'new',
    'new',
    'confirming',
  ]);
});

it('another plan is an upgrade or a downgrade, another cycle a change of cycle', () => {
  const basic = status([held()]);
  const pro = status([held({ planKey: 'gemini_pro' })]);
  expect(planStatusOf('gemini_pro', 'monthly', basic)).toMatchObject({ kind: 'upgrade', until: END });
  const later = (cycle: Cycle) => ({
    kind: 'later',
    from: { planKey: 'gemini_pro', cycle },
    opens: END - 3 * DAY,
    until: END,
  });
  expect(planStatusOf('gemini_basic', 'annual', pro, END - 4 * DAY)).toEqual(later('monthly'));
  expect(planStatusOf('gemini_basic', 'annual', pro, END - 2 * DAY)).toMatchObject({ kind: 'downgrade' });
  const yearly = status([held({ planKey: 'gemini_pro', cycle: 'annual' })]);
  expect(planStatusOf('gemini_pro', 'monthly', yearly, END - 4 * DAY)).toEqual(later('annual'));
  expect(planStatusOf('gemini_basic', 'annual', basic)).toMatchObject({ kind: 'cycle' });
});

it('a plan that a higher one replaced is bought as a lower one, and not as one that ends', () => {
  const basic = held({ renews: false, canResume: false });
  const both = status([held({ planKey: 'gemini_pro' }), basic]);
  expect(planStatusOf('gemini_basic', 'monthly', both, END - 4 * DAY)).toMatchObject({ kind: 'later' });
  expect(planStatusOf('gemini_basic', 'monthly', both, END - 2 * DAY)).toMatchObject({ kind: 'downgrade' });
});

it('of a plan whose renewal is late no Credits are promised for another cycle', () => {
  const late = status([held({ state: 'past_due' })]);
  expect(planStatusOf('gemini_basic', 'annual', late)).toMatchObject({ kind: 'upgrade' });
});

it('a lower plan that is to follow is noted until it can be paid for', () => {
  const wish = {
    ...({ planKey: 'gemini_basic', cycle: 'monthly', orderId: held().orderId } as const),
    ...{ from: END - 3 * DAY, until: END, open: false },
  };
  const pro = status([held({ planKey: 'gemini_pro', renews: false })], { wish });
  const at = (now: number) => planStatusOf('gemini_basic', 'monthly', pro, now);
  const from = { planKey: 'gemini_pro', cycle: 'monthly' };
  expect(at(END - 4 * DAY)).toEqual({ kind: 'noted', from, opens: END - 3 * DAY, until: END });
  expect(at(END - 2 * DAY)).toMatchObject({ kind: 'downgrade' });
});

it('nothing can be bought under a dispute, and what runs still is the current plan', () => {
  const blocked = status([held()], { checkoutBlocked: 'disputed' });
  expect(planStatusOf('gemini_pro', 'monthly', blocked)).toEqual({ kind: 'blocked' });
  expect(planStatusOf('gemini_basic', 'monthly', blocked)).toEqual({ kind: 'current' });
});

it('nothing can be bought without a provider', () => {
  const closed = status([], { providers: [] });
  expect(planStatusOf('gemini_pro', 'annual', closed)).toEqual({ kind: 'unavailable' });
});
