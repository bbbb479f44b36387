import { describe, expect, it } from 'vitest';
import { billedSubscriptionSchema } from '#contract/billing.ts';
import {
  checkoutFact,
  DAY,
  disputeFact,
  OFFERS,
  orderOf,
  paymentFact,
  refundFact,
  subscriptionFact,
} from '#test/billing/world.ts';
import { mergeFacts } from '../facts/merge-facts.ts';
import { addMonths, GRACE_MS } from '../facts/period-rules.ts';
import { EMPTY_SNAPSHOT } from '../facts/provider-snapshot.ts';
import type { Fact, PaymentFact } from '../providers/facts.ts';
import type { BillingOrder } from './link-orders.ts';
import { projectBilling } from './project-billing.ts';

const T0 = Date.UTC(2027, 4, 1);
const END = addMonths(T0, 1);
const MINUTE = 60_000;
const basic = orderOf('basic', T0);
/** An hour for a renewal that is on its way. */
const AWAITED = END + DAY / 24;
const pro = orderOf('pro', T0 + 10 * DAY, { planKey: 'gemini_pro', provider: 'bagelpay' });
const proEnd = addMonths(T0 + 10 * DAY, 1);
const payment = paymentFact(basic);
const all = basic.priceMinor;

function at(now: number, told: { order: BillingOrder; facts: Fact[] }[]) {
  const snapshot = told.reduce(
    (merged, { order, facts }) => mergeFacts(merged, { provider: order.provider, mode: 'test', facts }),
    EMPTY_SNAPSHOT,
  );
  const orders = told.map(({ order }) => order);
  return projectBilling(snapshot, orders, { now, graceMs: GRACE_MS });
}

const ofBasic = (now: number, ...facts: Fact[]) => at(now, [{ order: basic, facts }]);
const statusFact = (status: Parameters<typeof subscriptionFact>[1], when = T0 + DAY) =>
  subscriptionFact(basic, status, when);

type Row = [
  what: string,
  now: number,
  facts: Fact[],
  state: string | null,
  active: boolean,
  paused: number | null,
];
const ROWS: Row[] = [
  ['nothing told', T0, [], null, false, null],
  ['a checkout that is done, no charge yet', T0, [checkoutFact(basic)], 'pending', false, null],
  ['a first charge that failed', T0, [checkoutFact(basic), statusFact('past_due')], null, false, null],
  ...(['past_due', 'unpaid', 'expired', 'paused', 'canceled'] as const).map((status): Row => {
    const ended = subscriptionFact(basic, status, T0 + DAY, { cancelAt: new Date(T0 + DAY) });
    return [`an end by ${status}, nothing paid`, T0, [checkoutFact(basic), ended], null, false, null];
  }),
  ['a checkout that was left', T0, [checkoutFact(basic, { status: 'abandoned' })], null, false, null],
  [
    'a subscription told active, no charge yet',
    T0,
    [checkoutFact(basic), statusFact('active')],
    'pending',
    false,
    null,
  ],
  ['a paid period', T0, [payment], 'active', true, AWAITED],
  ['its last moment', END - 1, [payment], 'active', true, AWAITED],
  ['its end, the renewal not told', END, [payment], 'past_due', true, AWAITED],
  [
    'the last moment of the grace',
    END + GRACE_MS - 1,
    [payment, statusFact('past_due')],
    'past_due',
    true,
    END,
  ],
  ['the end of the grace', END + GRACE_MS, [payment, statusFact('past_due')], 'expired', false, null],
  ['its end, the renewal told as failed', END, [payment, statusFact('past_due', END)], 'past_due', true, END],
  ['past due while the period runs', T0 + 2 * DAY, [payment, statusFact('past_due')], 'active', true, END],
  ['cancelled', T0 + 2 * DAY, [payment, statusFact('scheduled_cancel')], 'scheduled_cancel', true, END],
  ['cancelled at once', T0 + 2 * DAY, [payment, statusFact('canceled')], 'scheduled_cancel', true, END],
  ['cancelled, the period over', END, [payment, statusFact('scheduled_cancel')], 'expired', false, null],
  [
    'given up after its renewal failed',
    END + 2 * DAY,
    [payment, statusFact('past_due', END), statusFact('canceled', END + DAY)],
    'past_due',
    true,
    END,
  ],
  ...(['canceled', 'paused', 'scheduled_cancel'] as const).flatMap((status): Row[] => [
    [
      `${status} a minute after its renewal failed`,
      END + DAY,
      [payment, statusFact('past_due', END), statusFact(status, END + MINUTE)],
      'past_due',
      true,
      END,
    ],
    [
      `${status} in the second in which its renewal failed`,
      END + DAY,
      [payment, statusFact('past_due', END), statusFact(status, END)],
      'past_due',
      true,
      END,
    ],
    [
      `${status} two days after its renewal failed`,
      END + 2 * DAY,
      [payment, statusFact('past_due', END), statusFact(status, END + 2 * DAY)],
      'past_due',
      true,
      END,
    ],
    [
      `${status} after its renewal failed, the grace over`,
      END + GRACE_MS,
      [payment, statusFact('past_due', END), statusFact(status, END + MINUTE)],
      'expired',
      false,
      null,
    ],
    [
      `${status} in time, an earlier renewal failed`,
      END,
      [payment, statusFact('past_due', T0), statusFact(status, END - DAY)],
      'expired',
      false,
      null,
    ],
  ]),
  [
    'cancelled when the period ended',
    END + DAY,
    [payment, statusFact('canceled', END + 1)],
    'expired',
    false,
    null,
  ],
  [
    'cancelled and resumed',
    T0 + 3 * DAY,
    [statusFact('active', T0 + 2 * DAY), payment, statusFact('scheduled_cancel')],
    'active',
    true,
    AWAITED,
  ],
  ['a part given back', T0, [payment, refundFact(payment, 100)], 'active', true, AWAITED],
  ['all given back', T0, [payment, refundFact(payment, all)], 'refunded', false, null],
  [
    'a refund not decided',
    T0,
    [payment, refundFact(payment, all, { status: 'pending' })],
    'active',
    true,
    AWAITED,
  ],
  ['disputed', T0, [payment, disputeFact(payment.transactionId)], 'disputed', false, null],
];

describe('one subscription', () => {
  it.each(ROWS)('with %s', (_, now, facts, state, active, paused) => {
    const { subscription, freePausedUntil } = ofBasic(now, ...facts);
    expect([subscription?.state ?? null, subscription?.active ?? false]).toEqual([state, active]);
    expect(freePausedUntil?.getTime() ?? null).toBe(paused);
    if (subscription) expect(billedSubscriptionSchema.parse(subscription)).toEqual(subscription);
  });

  it('tells its period, its end, and in the grace the end of the grace', () => {
    expect(ofBasic(T0 + DAY, payment).subscription).toMatchObject({ currentPeriodStart: T0, expiresAt: END });
    expect(ofBasic(END, payment).subscription).toMatchObject({ expiresAt: END + GRACE_MS });
    expect(ofBasic(T0 + DAY, payment)).toMatchObject({
      accessUntil: new Date(END + GRACE_MS),
      nextChangeAt: new Date(END),
    });
    expect(ofBasic(T0 + DAY, payment, statusFact('scheduled_cancel')).subscription).toMatchObject({
      cancelAtPeriodEnd: true,
    });
  });

  it('asks for a renewal that is due, a purchase not confirmed and a refund not decided', () => {
    const subscription = { provider: 'creem', kind: 'subscription', id: 'sub_basic' };
    const transaction = { provider: 'creem', kind: 'transaction', id: payment.transactionId };
    expect(ofBasic(END - 1, payment).questions).toEqual([]);
    expect(ofBasic(END, payment).questions).toEqual([subscription]);
    expect(ofBasic(T0, checkoutFact(basic)).questions).toEqual([subscription]);
    const pending = refundFact(payment, 0, { status: 'pending' });
    expect(ofBasic(T0, payment, pending).questions).toEqual([transaction]);
    expect(ofBasic(T0, payment, refundFact(payment, null)).questions).toEqual([transaction]);
    expect(ofBasic(T0, payment, pending, refundFact(payment, all)).questions).toEqual([]);
    const one = refundFact(payment, 69, { refundId: 'ref_1', ownMinor: 69 });
    const two = refundFact(payment, 69, { refundId: 'ref_2', ownMinor: 138, status: 'pending' });
    expect(ofBasic(T0, payment, one).questions).toEqual([]);
    expect(ofBasic(T0, payment, one, two).questions).toEqual([transaction]);
    expect(ofBasic(T0, payment, one, two, refundFact(payment, 207)).questions).toEqual([]);
    expect(ofBasic(T0, payment, one, two, { ...two, status: 'failed' }).questions).toEqual([]);
  });
});

describe('a refund or a dispute', () => {
  it('takes back its share rounded up, ends a renewing plan at its provider, and names the charge under dispute', () => {
    const taxed = paymentFact(basic, { amountMinor: 828 });
    expect(ofBasic(T0, taxed, refundFact(taxed, 100)).revocations).toMatchObject([
      { revokeTarget: 61, reason: 'refund' },
    ]);
    expect(ofBasic(T0, taxed, refundFact(taxed, 100)).cancellations).toEqual([]);
    const refunded = ofBasic(T0, payment, refundFact(payment, all));
    expect(refunded.revocations).toMatchObject([
      { revokeTarget: basic.credits, paymentKey: 'creem:tran_basic' },
    ]);
    expect(refunded.cancellations).toMatchObject([
      { when: 'now', reason: 'refunded', subscriptionId: 'sub_basic' },
    ]);
    expect(refunded.orders).toMatchObject([{ status: 'refunded' }]);
    const disputed = ofBasic(T0, payment, refundFact(payment, all), disputeFact(payment.transactionId));
    expect(disputed.revocations).toMatchObject([{ revokeTarget: basic.credits, reason: 'dispute' }]);
    expect(disputed.disputes).toEqual(['creem:tran_basic']);
    expect(disputed.orders).toMatchObject([{ status: 'disputed' }]);
  });

  it('of a renewal leaves the period that is still paid', () => {
    const next = paymentFact(basic, { transactionId: 'tran_2', periodStart: new Date(END) });
    const facts = [payment, next, refundFact(next, all)];
    expect(ofBasic(T0 + DAY, ...facts).subscription).toMatchObject({
      state: 'scheduled_cancel',
      expiresAt: END,
    });
    expect(ofBasic(END, ...facts).subscription?.state).toBe('refunded');
  });
});

describe('two subscriptions', () => {
  const both = (now: number, ...more: Fact[]) =>
    at(now, [
      { order: basic, facts: [payment, ...more] },
      { order: pro, facts: [paymentFact(pro)] },
    ]);

  it('show the higher plan, keep both buckets, and end the one bought first at the end of its period', () => {
    const { subscription, grants, cancellations, subscriptions } = both(T0 + 11 * DAY);
    expect(subscription).toMatchObject({ planKey: 'gemini_pro', provider: 'bagelpay', state: 'active' });
    expect(grants.map(({ amount }) => amount)).toEqual([basic.credits, pro.credits]);
    expect(cancellations).toEqual([
      {
        provider: 'creem',
        subscriptionId: 'sub_basic',
        orderId: 'basic',
        when: 'period_end',
        reason: 'replaced',
      },
    ]);
    expect(subscriptions.filter(({ renews }) => renews)).toHaveLength(2);
  });

  it('ask for nothing more once the first is known to end', () => {
    expect(both(T0 + 11 * DAY, statusFact('scheduled_cancel', T0 + 11 * DAY)).cancellations).toEqual([]);
  });

  it('keep the higher plan to its end after a downgrade, then show the lower one', () => {
    const first = orderOf('first', T0, { planKey: 'gemini_pro' });
    const second = orderOf('second', T0 + 10 * DAY);
    const told = [
      {
        order: first,
        facts: [paymentFact(first), subscriptionFact(first, 'scheduled_cancel', T0 + 11 * DAY)],
      },
      { order: second, facts: [paymentFact(second)] },
    ];
    expect(at(END - 1, told).subscription?.planKey).toBe('gemini_pro');
    expect(at(END, told).subscription).toMatchObject({ planKey: 'gemini_basic', expiresAt: proEnd });
  });

  it('end the one bought first also while only its renewal is told, which was paid after the second was bought', () => {
    const renewal = paymentFact(basic, {
      transactionId: 'tran_renewal',
      periodStart: new Date(END),
      paidAt: new Date(END),
    });
    const { cancellations } = at(END + DAY, [
      { order: basic, facts: [renewal] },
      { order: pro, facts: [paymentFact(pro)] },
    ]);
    expect(cancellations).toMatchObject([{ subscriptionId: 'sub_basic', reason: 'replaced' }]);
  });

  it('end the one ordered first of two paid within one second, where a provider tells the second only', () => {
    const second = orderOf('second', T0 + 30, { planKey: 'gemini_pro' });
    const { cancellations } = at(T0 + DAY, [
      { order: basic, facts: [paymentFact(basic, { paidAt: new Date(T0 + 335) })] },
      { order: second, facts: [paymentFact(second, { paidAt: new Date(T0) })] },
    ]);
    expect(cancellations).toMatchObject([{ subscriptionId: 'sub_basic', reason: 'replaced' }]);
  });

  it('fall back to the first when the second is given back', () => {
    const refunded = [paymentFact(pro), refundFact(paymentFact(pro), pro.priceMinor)];
    const { subscription, cancellations } = at(T0 + 11 * DAY, [
      { order: basic, facts: [payment] },
      { order: pro, facts: refunded },
    ]);
    expect(subscription).toMatchObject({ planKey: 'gemini_basic', state: 'active' });
    expect(cancellations).toMatchObject([{ subscriptionId: 'sub_pro', when: 'now', reason: 'refunded' }]);
  });
});

describe('two charges of one period', () => {
  const again = (over: Partial<PaymentFact> = {}) =>
    paymentFact(basic, { transactionId: 'tran_again', paidAt: new Date(T0 + 3_000), ...over });

  it('keep the plan while one of them stands, whichever is given back or disputed', () => {
    const both = [payment, again()];
    for (const lost of both) {
      expect(ofBasic(T0, ...both, refundFact(lost, all))).toMatchObject({
        subscription: { state: 'active' },
        cancellations: [],
        orders: [{ status: 'paid' }],
        revocations: [{ revokeTarget: 0, mayFall: true }],
        quarantine: [],
      });
      const disputed = ofBasic(T0, ...both, disputeFact(lost.transactionId));
      expect(disputed).toMatchObject({ subscription: { state: 'active' }, orders: [{ status: 'paid' }] });
    }
    expect(ofBasic(T0, ...both, refundFact(payment, 100), refundFact(again(), 69))).toMatchObject({
      revocations: [{ revokeTarget: 50 }],
    });
    const refunds = both.map((each) => refundFact(each, all));
    expect(ofBasic(T0, ...both, ...refunds)).toMatchObject({
      subscription: { state: 'refunded' },
      orders: [{ status: 'refunded' }],
      revocations: [{ revokeTarget: basic.credits, paymentKey: 'creem:tran_basic' }],
    });
  });

  it('are one also with midnight between them', () => {
    const midnight = Date.UTC(2027, 4, 2);
    const at = (ms: number) => ({ periodStart: new Date(midnight + ms), paidAt: new Date(midnight + ms) });
    const first = paymentFact(basic, at(-2_000));
    expect(ofBasic(T0, first, again(at(1_000))).grants).toHaveLength(1);
  });
});

describe('a plan switched at its provider', () => {
  const next = paymentFact(basic, {
    ...{ transactionId: 'tran_2', periodStart: new Date(END), paidAt: new Date(END), productId: null },
    ...{ amountMinor: pro.priceMinor, netMinor: pro.priceMinor },
  });
  const known = { booked: [], offers: OFFERS, blockedSince: null };
  const told = mergeFacts(EMPTY_SNAPSHOT, { provider: 'creem', mode: 'test', facts: [payment, next] });

  it('grants and shows what was paid for', () => {
    const after = projectBilling(told, [basic], { now: END + 1, graceMs: GRACE_MS }, known);
    expect(after.grants.map(({ amount }) => amount)).toEqual([basic.credits, pro.credits]);
    expect(after.subscription).toMatchObject({ planKey: 'gemini_pro', cycle: 'monthly', state: 'active' });
    const before = projectBilling(told, [basic], { now: END - 1, graceMs: GRACE_MS }, known);
    expect(before.subscription).toMatchObject({ planKey: 'gemini_basic' });
  });

  it('grants nothing for a price that nothing has', () => {
    const odd = { ...next, amountMinor: 1_000, netMinor: 1_000 };
    const snapshot = mergeFacts(EMPTY_SNAPSHOT, { provider: 'creem', mode: 'test', facts: [payment, odd] });
    const after = projectBilling(snapshot, [basic], { now: END + 1, graceMs: GRACE_MS }, known);
    expect(after.grants).toHaveLength(1);
    expect(after.quarantine).toMatchObject([{ reason: 'other_amount', charge: 'not_granted' }]);
  });
});

describe('for the operator', () => {
  it('a period charged twice is granted once and kept', () => {
    const twice = paymentFact(basic, { transactionId: 'tran_again', paidAt: new Date(T0 + 1) });
    const { grants, quarantine } = ofBasic(T0, payment, twice);
    expect(grants).toHaveLength(1);
    expect(quarantine).toMatchObject([{ subject: 'tran_again', reason: 'paid_twice', orderId: 'basic' }]);
  });

  it('a checkout left after it was paid may be a dispute, one left before is not', () => {
    const left = (when: number) => checkoutFact(basic, { status: 'abandoned', at: new Date(when) });
    expect(ofBasic(T0, payment, left(T0 + DAY)).quarantine).toMatchObject([{ reason: 'possible_dispute' }]);
    expect(ofBasic(T0, payment, left(T0 - DAY)).quarantine).toEqual([]);
  });

  it('a charge without its subscription is granted, and cannot be cancelled by us', () => {
    const { grants, quarantine } = ofBasic(T0, paymentFact(basic, { subscriptionId: null }));
    expect(grants).toHaveLength(1);
    expect(quarantine).toMatchObject([{ reason: 'unlinked' }]);
  });

  it('orders are open, failed or abandoned until they are paid', () => {
    const statusOf = (...facts: Fact[]) => ofBasic(T0, ...facts).orders[0]?.status;
    const checkout = (status: 'open' | 'failed' | 'abandoned') => checkoutFact(basic, { status });
    expect([statusOf(), statusOf(checkout('failed')), statusOf(checkout('abandoned'))]).toEqual([
      ...['open', 'failed', 'abandoned'],
    ]);
    expect(statusOf(checkout('failed'), payment)).toBe('paid');
  });
});
