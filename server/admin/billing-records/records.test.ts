import { describe, expect, it } from 'vitest';
import { differenceSchema, factLineSchema } from '#contract/admin/order-facts.ts';
import type { BillingProjection } from '#server/billing/projection/project-billing.ts';
import type { Fact, UnknownReason } from '#server/billing/providers/facts.ts';
import { compareProjections, writeDifference } from './compare-projections.ts';
import { presentFact, textOfFact } from './present-fact.ts';

const ORDER = '0199a000-0000-7000-8000-000000000001';
const AT = new Date('2026-11-26T08:30:00Z');
const BASE = { mode: 'test', orderId: ORDER, customerId: null, customerEmail: 'a@example.test' } as const;
const NOTHING = {
  ...{ status: null, paid: null, refunded: null, isInferred: false, subscriptionId: null, problem: null },
  ...{ email: BASE.customerEmail, orderId: ORDER, at: AT.getTime() },
};
const PAYMENT: Fact = {
  ...{ ...BASE, kind: 'payment', transactionId: 'tran_1', amountMinor: 690, netMinor: 690, currency: 'USD' },
  ...{
    productId: 'p',
    subscriptionId: 'sub_1',
    periodStart: AT,
    periodEnd: AT,
    paidAt: AT,
    match: 'inferred',
  },
};
const REFUND: Fact = {
  ...{
    ...BASE,
    kind: 'refund',
    transactionId: 'tran_1',
    refundId: null,
    ownMinor: null,
    refundedMinor: null,
  },
  ...{ paidMinor: 690, status: 'pending', subscriptionId: null, at: AT },
};
const SUBSCRIPTION: Fact = {
  ...{ ...BASE, kind: 'subscription', subscriptionId: 'sub_1', status: 'past_due', rank: 4, productId: 'p' },
  ...{ periodStart: AT, periodEnd: AT, cancelAt: null, updatedAt: AT },
};
const unknown = (reason: string): Fact => ({
  ...{ kind: 'unknown', type: 'odd.event', reason: reason as UnknownReason },
});

describe('a fact of a provider', () => {
  it.each([
    [
      'payment',
      PAYMENT,
      { paid: { minor: 690, currency: 'USD' }, isInferred: true, subscriptionId: 'sub_1' },
    ],
    ['refund', REFUND, { status: 'pending', refunded: { minor: null, of: 690 } }],
    ['subscription', SUBSCRIPTION, { status: 'past_due', subscriptionId: 'sub_1' }],
  ] as const)('is shown in codes: %s', (kind, fact, parts) => {
    expect(factLineSchema.parse(presentFact(fact))).toEqual({ ...NOTHING, kind, ...parts });
  });

  it('that was not understood has a code, also where its reason is of another version', () => {
    const problemOf = (reason: string) => factLineSchema.parse(presentFact(unknown(reason))).problem;
    expect(problemOf('an event of an unknown type')).toEqual({ type: 'odd.event', code: 'unknown_type' });
    expect(problemOf('a reason of before')).toEqual({ type: 'odd.event', code: 'other' });
  });

  it('is one line of English at the command line', () => {
    expect(textOfFact(PAYMENT)).toBe(
      `6.90 USD · a@example.test · inferred · order ${ORDER} · sub_1 · 2026-11-26 08:30:00 UTC`,
    );
    expect(textOfFact(REFUND)).toBe(
      `pending · ? / 6.90 · a@example.test · order ${ORDER} · 2026-11-26 08:30:00 UTC`,
    );
    expect(textOfFact(unknown('an event of an unknown type'))).toBe('an event of an unknown type');
  });
});

describe('what differs between what we have and what a provider says', () => {
  const projection = (parts: Partial<Record<keyof BillingProjection, unknown>>) =>
    ({
      orders: [],
      subscriptions: [],
      grants: [],
      revocations: [],
      quarantine: [],
      ...parts,
    }) as unknown as BillingProjection;
  const paid = projection({
    orders: [{ orderId: ORDER, status: 'paid' }],
    subscriptions: [{ subscriptionId: null, state: 'active', renews: true, paidUntil: AT.getTime() }],
    grants: [{ paymentKey: 'creem:tran_1', amount: 500, expiresAt: AT }],
    revocations: [{ paymentKey: 'creem:tran_1', revokeTarget: 20, reason: 'refund' }],
  });
  const open = projection({
    orders: [{ orderId: ORDER, status: 'open' }],
    quarantine: [{ subject: 'tran_2', reason: 'unlinked' }],
  });

  it('is in codes, what goes before what comes', () => {
    const differences = compareProjections({ before: open, after: paid });
    for (const difference of differences) expect(differenceSchema.parse(difference)).toEqual(difference);
    expect(differences.map(({ change, what }) => `${change} ${what}`)).toEqual([
      ...['gone order', 'gone set_aside'],
      ...['new order', 'new subscription', 'new grant', 'new revocation'],
    ]);
    expect(differences.map(writeDifference)).toEqual([
      `order ${ORDER} open`,
      'set aside tran_2 (unlinked)',
      `order ${ORDER} paid`,
      'subscription null active renews=true paid until 2026-11-26T08:30:00.000Z',
      'grant creem:tran_1 500 until 2026-11-26T08:30:00.000Z',
      'take back creem:tran_1 20 (refund)',
    ]);
  });

  it('is nothing where both are the same', () => {
    expect(compareProjections({ before: paid, after: paid })).toEqual([]);
  });
});
