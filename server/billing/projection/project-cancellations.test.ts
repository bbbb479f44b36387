import { describe, expect, it } from 'vitest';
import { orderOf, paymentFact, refundFact, subscriptionFact } from '#test/billing/world.ts';
import { mergeFacts } from '../facts/merge-facts.ts';
import { addMonths, GRACE_MS } from '../facts/period-rules.ts';
import { EMPTY_SNAPSHOT } from '../facts/provider-snapshot.ts';
import type { Fact } from '../providers/facts.ts';
import { NOTHING_KNOWN } from './link-orders.ts';
import { projectBilling } from './project-billing.ts';

const T0 = Date.UTC(2027, 4, 1);
const MINUTE = 60_000;
const order = orderOf('basic', T0, { provider: 'bagelpay' });
const first = paymentFact(order);
const second = paymentFact(order, {
  ...{ transactionId: 'tran_again', subscriptionId: 'sub_again' },
  ...{ periodStart: new Date(T0 + 3_000), paidAt: new Date(T0 + 3_000) },
});
const statusOf = (subscriptionId: string, status: 'active' | 'canceled', at: number) =>
  subscriptionFact(order, status, at, { subscriptionId });

/** The projection a minute after `facts`; `booked`: the charge that made the bucket. */
function project(facts: readonly Fact[], booked: string | null = null) {
  const snapshot = mergeFacts(EMPTY_SNAPSHOT, { provider: 'bagelpay', mode: 'test', facts });
  const bucket = {
    ...{ sourceKey: 'bagelpay:basic:2027-05-01', paymentKey: booked, orderId: order.id },
    ...{ amount: order.credits, startsAt: new Date(T0), expiresAt: new Date(addMonths(T0, 1)) },
  };
  const known = booked === null ? NOTHING_KNOWN : { ...NOTHING_KNOWN, booked: [bucket] };
  return projectBilling(snapshot, [order], { now: T0 + MINUTE, graceMs: GRACE_MS }, known);
}

describe('a page that was paid in two tabs', () => {
  it.each([
    ['first', null, 'sub_again', 'tran_again'],
    ['second', 'bagelpay:tran_again', 'sub_basic', 'tran_basic'],
  ])(
    'goes on with the one whose charge was granted, the %s, and ends the other',
    (_, booked, ended, flagged) => {
      const { cancellations, quarantine } = project([first, second], booked);
      expect(cancellations).toMatchObject([{ subscriptionId: ended, reason: 'replaced' }]);
      expect(quarantine).toMatchObject([{ subject: flagged, reason: 'paid_twice' }]);
    },
  );

  it('goes on renewing once the second charge is given back', () => {
    const over = statusOf('sub_again', 'canceled', T0 + 5_000);
    const { cancellations, subscription } = project([
      ...[first, second, over],
      refundFact(second, order.priceMinor),
    ]);
    expect(cancellations).toEqual([]);
    expect(subscription).toMatchObject({ state: 'active' });
  });

  it('keeps the second subscription where the first does not renew', () => {
    const { cancellations, subscriptions } = project([
      ...[first, second],
      ...[statusOf('sub_basic', 'canceled', T0 + 1_000), statusOf('sub_again', 'active', T0 + 5_000)],
    ]);
    expect(cancellations).toEqual([]);
    expect(subscriptions.filter(({ renews }) => renews)).toMatchObject([{ subscriptionId: 'sub_again' }]);
  });
});
