import { describe, expect, it } from 'vitest';
import {
  checkoutFact,
  DAY,
  disputeFact,
  orderOf,
  paymentFact,
  refundFact,
  subscriptionFact,
} from '#test/billing/world.ts';
import { mergeFacts } from '../facts/merge-facts.ts';
import { addMonths, GRACE_MS } from '../facts/period-rules.ts';
import { EMPTY_SNAPSHOT } from '../facts/provider-snapshot.ts';
import type { Fact } from '../providers/facts.ts';
import type { BillingOrder } from './link-orders.ts';
import { projectBilling } from './project-billing.ts';
import { projectDeletion } from './project-deletion.ts';

const T0 = Date.UTC(2027, 4, 1);
const NOW = T0 + 2 * DAY;
const basic = orderOf('basic', T0);
const newer = orderOf('newer', T0 + DAY);
const older = orderOf('older', T0 - DAY);
const bought = (order: BillingOrder): Fact[] => [checkoutFact(order), paymentFact(order)];

/** A charge for a price that nothing has. */
const odd = paymentFact(basic, { amountMinor: 123, netMinor: 123 });
const again = { ...odd, transactionId: 'tran_again' };
const refunded = refundFact(odd, 123);
const subscription = { provider: 'creem', subscriptionId: 'sub_basic', orderId: 'basic' };

function project(...facts: Fact[]) {
  const snapshot = mergeFacts(EMPTY_SNAPSHOT, { provider: 'creem', mode: 'test', facts });
  const living = projectBilling(snapshot, [older, basic, newer], { now: NOW, graceMs: GRACE_MS });
  return { living, deleted: projectDeletion(living, snapshot, [], new Set()) };
}
const wanted = (...facts: Fact[]) => project(checkoutFact(basic), ...facts).living.cancellations;

describe('a subscription whose charges pay nothing', () => {
  const incomplete = { ...odd, amountMinor: null, netMinor: null };

  it('is ended at once when all of them were refunded, or one is disputed', () => {
    const now = (reason: string) => [{ ...subscription, when: 'now', reason }];
    expect(wanted(odd)).toEqual([]);
    expect(wanted(odd, refundFact(odd, 122))).toEqual([]);
    expect(wanted(odd, refunded)).toEqual(now('refunded'));
    expect(wanted(odd, refunded, again)).toEqual([]);
    expect(wanted(odd, refunded, again, refundFact(again, 123))).toEqual(now('refunded'));
    expect(wanted(odd, disputeFact(again.transactionId))).toEqual([]);
    expect(wanted(odd, again, disputeFact(again.transactionId))).toEqual(now('disputed'));
    expect(wanted(incomplete, refunded)).toEqual(now('refunded'));
    expect(wanted(odd, refunded, subscriptionFact(basic, 'canceled', NOW))).toEqual([]);
  });

  it('is ended at once also where the refund does not say what was paid, but the charge does', () => {
    const bare = (minor: number) => ({ ...refundFact(odd, minor), paidMinor: null });
    expect(wanted(odd, bare(122))).toEqual([]);
    expect(wanted(odd, bare(123))).toMatchObject([{ when: 'now', reason: 'refunded' }]);
    expect(wanted(incomplete, bare(123))).toEqual([]);
    const { orders, quarantine } = project(checkoutFact(basic), odd, bare(123)).living;
    expect(orders.find(({ orderId }) => orderId === 'basic')).toMatchObject({ status: 'refunded' });
    expect(quarantine).toEqual([]);
  });

  it('is ended at once also where the charge names nothing but the subscription, and never for a guess', () => {
    const bare = { ...odd, orderId: null };
    expect(wanted(bare, refunded)).toMatchObject([{ reason: 'refunded' }]);
    expect(wanted({ ...odd, match: 'inferred' }, refunded)).toEqual([]);
  });

  it('ends with its period when a later purchase took its place', () => {
    const replaced = [{ ...subscription, when: 'period_end', reason: 'replaced' }];
    expect(wanted(odd, ...bought(newer))).toEqual(replaced);
    expect(wanted(odd, ...bought(older))).toEqual([]);
    expect(wanted(incomplete, ...bought(newer))).toEqual([]);
    expect(wanted(...bought(newer))).toEqual([]);
  });
});

describe('a subscription that was paid, and then charged for what pays nothing', () => {
  const paid = paymentFact(basic);
  const end = addMonths(T0, 1);
  const later = (at: number) => {
    const charge = { ...odd, transactionId: 'tran_later' };
    return {
      ...charge,
      periodStart: new Date(at),
      periodEnd: new Date(addMonths(at, 1)),
      paidAt: new Date(at),
    };
  };
  const october = later(end);
  const refund = refundFact(october, 123);
  const disputed = disputeFact(october.transactionId);
  const now = (reason: string) => [{ ...subscription, when: 'now', reason }];

  it('is ended once that charge was refunded in full or is disputed', () => {
    expect(wanted(paid, october)).toEqual([]);
    expect(wanted(paid, october, refundFact(october, 122))).toEqual([]);
    expect(wanted(paid, october, refund)).toEqual(now('refunded'));
    expect(wanted(paid, october, disputed)).toEqual(now('disputed'));
    expect(wanted(paid, { ...october, periodStart: null, periodEnd: null }, refund)).toEqual(now('refunded'));
    const early = later(end - DAY / 2);
    expect(wanted(paid, early, refund)).toEqual(now('refunded'));
  });

  it('keeps the period that was paid', () => {
    for (const news of [refund, disputed]) {
      const { living } = project(checkoutFact(basic), paid, october, news);
      expect(living.subscription).toMatchObject({ state: 'active', active: true, expiresAt: end });
      expect([living.grants.length, living.revocations]).toEqual([1, []]);
    }
  });

  it('renews where the charge came while a period was paid, or another period was paid since', () => {
    const renewal = paymentFact(basic, { transactionId: 'tran_2', periodStart: new Date(addMonths(T0, 2)) });
    for (const news of [refund, disputed]) {
      expect(wanted(paid, later(T0 + 10 * DAY), news)).toEqual([]);
      expect(wanted(paid, october, news, renewal)).toEqual([]);
    }
  });
});

describe('a subscription that nothing paid and whose charges fail', () => {
  const failing = [checkoutFact(basic), subscriptionFact(basic, 'past_due', NOW)];

  it('is not shown, and ends where its charges were refunded or a later purchase took its place', () => {
    expect(project(...failing, odd).living).toMatchObject({ subscription: null, subscriptions: [] });
    expect(wanted(...failing, odd)).toEqual([]);
    expect(wanted(...failing, odd, refunded)).toMatchObject([{ when: 'now', reason: 'refunded' }]);
    expect(wanted(...failing, odd, ...bought(newer))).toMatchObject([{ reason: 'replaced' }]);
  });

  it('ends also without any charge once a later purchase took its place', () => {
    const replaced = [{ ...subscription, when: 'period_end', reason: 'replaced' }];
    expect(wanted(...failing)).toEqual([]);
    expect(wanted(...failing, ...bought(newer))).toEqual(replaced);
    expect(wanted(...failing, ...bought(older))).toEqual([]);
  });

  it.each(['past_due', 'unpaid', 'expired'] as const)(
    'is ended with its account while it is %s',
    (status) => {
      const left = [{ ...subscription, when: 'now', reason: 'left' }];
      const told = [checkoutFact(basic), subscriptionFact(basic, status, NOW)];
      expect(project(...told).deleted.cancellations).toEqual(left);
      expect(project(...told, odd).deleted.cancellations).toEqual(left);
      expect(project(...told, subscriptionFact(basic, 'canceled', NOW + 1)).deleted.cancellations).toEqual(
        [],
      );
    },
  );
});
