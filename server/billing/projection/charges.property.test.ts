import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numRuns, randomOf, same, seed, shuffle } from '#test/billing/replay.ts';
import { checkoutFact, DAY, OFFERS, orderOf, paymentFact, refundFact, USER } from '#test/billing/world.ts';
import { mergeFacts } from '../facts/merge-facts.ts';
import { GRACE_MS } from '../facts/period-rules.ts';
import { EMPTY_SNAPSHOT } from '../facts/provider-snapshot.ts';
import { type BillingProjection, projectBilling } from './project-billing.ts';
import type { WantedGrant } from './project-grants.ts';

describe('a charge that is not what was ordered', () => {
  const order = orderOf('order-1', 0);
  const spoil: Record<string, (from: number) => Parameters<typeof paymentFact>[1]> = {
    order_unknown: () => ({ orderId: 'order-of-somebody-else', subscriptionId: null }),
    other_product: () => ({ productId: 'another' }),
    other_currency: () => ({ currency: 'EUR' }),
    other_amount: (from) => ({ amountMinor: from % order.priceMinor, netMinor: order.priceMinor }),
    other_mode: () => ({ mode: 'live' }),
    other_period: () => ({ periodEnd: new Date(300 * DAY) }),
    incomplete: () => ({ amountMinor: null, netMinor: null }),
    inferred: () => ({ match: 'inferred', subscriptionId: null }),
  };

  it('P12: pays for nothing, changes nothing, and is kept with its reason', () => {
    const reasons = fc.constantFrom(...Object.keys(spoil));
    const paid = paymentFact(order);
    fc.assert(
      fc.property(reasons, seed, fc.boolean(), (reason, from, isPaid) => {
        const bad = paymentFact(order, { transactionId: 'tran_bad', ...spoil[reason]?.(from) });
        const good = isPaid ? [checkoutFact(order), paid] : [checkoutFact(order)];
        const of = (facts: readonly (typeof good)[number][]) =>
          projectBilling(mergeFacts(EMPTY_SNAPSHOT, { provider: 'creem', mode: 'test', facts }), [order], {
            now: from % (60 * DAY),
            graceMs: GRACE_MS,
          });
        const { quarantine, questions: _, ...rest } = of(shuffle([...good, bad], randomOf(from)));
        const { quarantine: former, questions: __, ...expected } = of(good);
        same({ ...rest, subscriptions: [] }, { ...expected, subscriptions: [] });
        same(rest.subscriptions.map(withoutRefusal), expected.subscriptions.map(withoutRefusal));
        same([former.length, quarantine.length, quarantine[0]?.reason], [0, 1, reason]);
      }),
      { numRuns },
    );
    function withoutRefusal({ setAside: _, ...each }: BillingProjection['subscriptions'][number]) {
      return each;
    }
  });

  it('P12b: of another user or at another provider pays for nothing', () => {
    const at = { now: 0, graceMs: GRACE_MS };
    const stolen = mergeFacts(EMPTY_SNAPSHOT, {
      provider: 'creem',
      mode: 'test',
      facts: [checkoutFact(order, { userId: 'somebody-else' }), paymentFact(order)],
    });
    const crossed = mergeFacts(EMPTY_SNAPSHOT, {
      provider: 'bagelpay',
      mode: 'test',
      facts: [paymentFact(order)],
    });
    expect(order.userId).toBe(USER);
    expect(projectBilling(stolen, [order], at)).toMatchObject({
      grants: [],
      quarantine: [{ reason: 'other_user', orderId: order.id }],
    });
    expect(projectBilling(crossed, [order], at)).toMatchObject({
      subscription: null,
      grants: [],
      quarantine: [{ reason: 'other_provider' }],
    });
  });

  it('P12d: that was granted stays granted for the order that it was booked for, whatever is told of it later', () => {
    const other = orderOf('order-2', 0);
    const orders = [order, other];
    const paid = paymentFact(order);
    const later: Record<string, Parameters<typeof mergeFacts>[1]['facts'][number]> = {
      'another order': { ...paid, orderId: other.id },
      'another user': checkoutFact(order, { userId: 'somebody-else' }),
      'another period': { ...paid, periodStart: new Date(-20 * DAY), periodEnd: new Date(10 * DAY) },
    };
    for (const [what, fact] of Object.entries(later)) {
      const of = (facts: (typeof fact)[], booked: readonly WantedGrant[]) =>
        projectBilling(
          mergeFacts(EMPTY_SNAPSHOT, { provider: 'creem', mode: 'test', facts }),
          orders,
          { now: 0, graceMs: GRACE_MS },
          { booked, offers: OFFERS, blockedSince: null },
        );
      const { grants } = of([paid], []);
      const refund = refundFact(paid, order.priceMinor);
      const after = of([fact, paid, refund], grants);
      expect(after.grants, what).toEqual(grants);
      expect(after.revocations, what).toMatchObject([{ revokeTarget: order.credits }]);
      expect(after.quarantine, what).toMatchObject([{ subject: paid.transactionId, charge: 'granted' }]);
    }
  });

  it('P12e: that was matched by its likeness pays for the order that its provider names later', () => {
    const other = orderOf('order-2', 0);
    const matched = paymentFact(order, { match: 'claimed', subscriptionId: null });
    const of = (...facts: (typeof matched)[]) =>
      projectBilling(mergeFacts(EMPTY_SNAPSHOT, { provider: 'creem', mode: 'test', facts }), [order, other], {
        now: 0,
        graceMs: GRACE_MS,
      }).grants.map(({ orderId }) => orderId);
    expect(of(matched)).toEqual([order.id]);
    expect(of(matched, { ...matched, match: 'told', orderId: other.id })).toEqual([other.id]);
  });

  it('P12c: told differently twice pays by the telling that fits, and is flagged, in whatever order', () => {
    const facts = [paymentFact(order), paymentFact(order, { amountMinor: order.priceMinor + 1 })];
    const of = (told: typeof facts) =>
      projectBilling(mergeFacts(EMPTY_SNAPSHOT, { provider: 'creem', mode: 'test', facts: told }), [order], {
        now: 0,
        graceMs: 0,
      });
    expect(of(facts)).toMatchObject({
      grants: [{ amount: order.credits }],
      quarantine: [{ reason: 'contradictory', charge: 'granted' }],
    });
    expect(of(facts.toReversed())).toEqual(of(facts));
  });
});
