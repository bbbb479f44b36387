import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type History, pollFacts } from '#test/billing/history.ts';
import { holds, numRuns, randomOf, receive, replay, same, seed, shuffle } from '#test/billing/replay.ts';
import {
  type Charge,
  DAY,
  type Delivery,
  disputeFact,
  OFFERS,
  orderOf,
  paymentFact,
  refundFact,
  subscriptionFact,
} from '#test/billing/world.ts';
import { mergeFacts } from '../facts/merge-facts.ts';
import { GRACE_MS } from '../facts/period-rules.ts';
import { EMPTY_SNAPSHOT, type ProviderSnapshot } from '../facts/provider-snapshot.ts';
import { type BillingProjection, projectBilling } from './project-billing.ts';
import type { WantedGrant } from './project-grants.ts';

const project = (
  snapshot: ProviderSnapshot,
  { orders }: Pick<History, 'orders'>,
  now: number,
  booked: readonly WantedGrant[] = [],
) =>
  projectBilling(
    snapshot,
    orders,
    { now, graceMs: GRACE_MS },
    { booked, offers: OFFERS, blockedSince: null },
  );
const outcome = (deliveries: readonly Delivery[], history: History, now = history.end) =>
  project(receive(deliveries), history, now);

/** When something may change: shortly before, at and after the end of every period and of its grace. */
function moments({ contracts, end }: History): number[] {
  const ends = contracts.flatMap(({ charges }) => charges.map((charge) => charge.end));
  return [end, ...ends.flatMap((at) => [at - 1, at, at + GRACE_MS - 1, at + GRACE_MS])];
}

const creditsOf = ({ grants }: BillingProjection) => grants.reduce((sum, { amount }) => sum + amount, 0);
const chargesOf = ({ contracts }: History) =>
  contracts.flatMap(({ order, charges }) => charges.map((charge) => ({ order, charge })));
const keyOf = ({ order, charge }: ReturnType<typeof chargesOf>[number]) =>
  `${order.provider}:${charge.transactionId}`;

/** Every period that was really paid, by its charges, the first of which it was granted for. */
const periodsOf = (history: History) =>
  history.contracts.flatMap(({ order, charges }) =>
    [...Map.groupBy(charges, ({ period }) => period).values()].map((together) => {
      const sorted = together.toSorted(
        (a, b) => a.start - b.start || (a.transactionId < b.transactionId ? -1 : 1),
      );
      const credits = sorted[0]?.terms.credits ?? 0;
      return { credits, charges: sorted, keys: sorted.map((charge) => keyOf({ order, charge })) };
    }),
  );

/** What is taken back of a period: as much as of the charge of which the least was given back, and all of what is disputed. */
function targetOf(credits: number, charges: readonly Charge[]): number {
  const gone = charges.map(({ refunded, gross, disputed }) =>
    disputed ? credits : Number((BigInt(credits) * BigInt(refunded) + BigInt(gross - 1)) / BigInt(gross)),
  );
  return Math.min(...gone);
}

/** What the ledger holds after each reporting: grants stay, and what is taken back falls only where it may. */
function book(
  deliveries: readonly Delivery[],
  history: History,
  each: (step: BillingProjection) => void = () => {},
) {
  let told = EMPTY_SNAPSHOT;
  const grants = new Map<string, WantedGrant>();
  const targets = new Map<string, number>();
  for (const delivery of deliveries) {
    told = receive([delivery], told);
    const step = project(told, history, history.end, [...grants.values()]);
    for (const grant of step.grants) if (!grants.has(grant.paymentKey)) grants.set(grant.paymentKey, grant);
    for (const { paymentKey, revokeTarget, mayFall } of step.revocations)
      targets.set(paymentKey, mayFall ? revokeTarget : Math.max(revokeTarget, targets.get(paymentKey) ?? 0));
    each(step);
  }
  return { grants, targets };
}

describe('what the providers tell', () => {
  it('P1: comes to the same in any order and number of tellings', () => {
    holds((history, from) => {
      const replayed = replay(history.deliveries, from, false);
      for (const now of moments(history).slice(0, 5))
        same(outcome(replayed, history, now), outcome(history.deliveries, history, now));
    });
  });

  it('P1b: comes to the same when it is told again under new ids', () => {
    holds((history, from) => {
      const snapshot = receive(replay(history.deliveries, from, true));
      same(snapshot, receive(history.deliveries));
      same(project(snapshot, history, history.end), outcome(history.deliveries, history));
    });
  });

  it('P1c: comes to the same however it is grouped, and merging changes no snapshot', () => {
    holds((history, from) => {
      const facts = history.deliveries
        .filter(({ provider }) => provider === 'creem')
        .flatMap((each) => each.facts);
      const cut = from % (facts.length + 1);
      const news = (some: typeof facts) => ({ provider: 'creem', mode: 'test', facts: some }) as const;
      const first = mergeFacts(EMPTY_SNAPSHOT, news(facts.slice(0, cut)));
      const copy = structuredClone(first);
      const whole = mergeFacts(first, news(facts.slice(cut)));
      same(first, copy);
      same(whole, mergeFacts(mergeFacts(EMPTY_SNAPSHOT, news(facts.slice(cut))), news(facts)));
    });
  });

  it('P2: grants each paid period once and never more than the charges paid for, at every prefix', () => {
    holds((history, from) => {
      const replayed = shuffle(history.deliveries, randomOf(from));
      let snapshot = EMPTY_SNAPSHOT;
      const paid = new Map<string, number>();
      for (const delivery of replayed) {
        snapshot = receive([delivery], snapshot);
        for (const fact of delivery.facts) {
          const owner = chargesOf(history).find(
            ({ charge }) => fact.kind === 'payment' && charge.transactionId === fact.transactionId,
          );
          if (owner) paid.set(keyOf(owner), owner.charge.terms.credits);
        }
        const { grants } = project(snapshot, history, history.end);
        expect(grants.length).toBeLessThanOrEqual(paid.size);
        expect(new Set(grants.map(({ sourceKey }) => sourceKey)).size).toBe(grants.length);
        for (const { paymentKey, amount } of grants) expect(amount).toBe(paid.get(paymentKey));
      }
      const real = periodsOf(history).map(({ keys, credits, charges }) => [
        ...[keys[0], credits, Math.max(...charges.map(({ end }) => end))],
      ]);
      const granted = project(snapshot, history, history.end).grants.map((grant) => [
        ...[grant.paymentKey, grant.amount, grant.expiresAt.getTime()],
      ]);
      same(granted.sort(), real.sort());
    });
  });

  it('P3: never takes a grant away, and lowers what is taken back only where another charge pays the same', () => {
    holds((history, from) => {
      let before: BillingProjection | null = null;
      const isLone = new Set(periodsOf(history).flatMap(({ keys }) => (keys.length === 1 ? keys : [])));
      book(shuffle(history.deliveries, randomOf(from)), history, (after) => {
        const grants = new Map(after.grants.map((grant) => [grant.paymentKey, grant]));
        const targets = new Map(
          after.revocations.map(({ paymentKey, revokeTarget }) => [paymentKey, revokeTarget]),
        );
        for (const { paymentKey, sourceKey } of before?.grants ?? [])
          expect(grants.get(paymentKey)?.sourceKey).toBe(sourceKey);
        for (const { paymentKey, revokeTarget } of before?.revocations ?? [])
          if (isLone.has(paymentKey)) expect(targets.get(paymentKey)).toBeGreaterThanOrEqual(revokeTarget);
        before = after;
      });
    });
  });

  it('P3b: books each paid period once, and takes back the share of the charge of which the least is gone, in any order', () => {
    holds((history, from) => {
      const { grants, targets } = book(shuffle(history.deliveries, randomOf(from)), history);
      const real = periodsOf(history).map(({ credits, charges }) => [credits, targetOf(credits, charges)]);
      const booked = [...grants.values()].map(({ amount, paymentKey }) => [
        amount,
        targets.get(paymentKey) ?? 0,
      ]);
      same(booked.map(String).sort(), real.map(String).sort());
    });
  });

  it('P4: changes nothing where it is not understood, and is kept for the operator', () => {
    holds((history, from) => {
      const quiet = history.deliveries.filter(({ facts }) => !facts.some(({ kind }) => kind === 'unknown'));
      const [order] = history.orders;
      if (!order) return;
      const odd = subscriptionFact(order, 'unknown', history.end + from);
      const facts = [
        odd,
        { kind: 'unknown', type: 'sub.new', reason: 'an event of an unknown type' } as const,
      ];
      const noisy = [...quiet, { id: 'odd', provider: order.provider, at: history.end, facts }];
      const { quarantine, ...rest } = outcome(shuffle(noisy, randomOf(from)), history);
      const { quarantine: former, ...expected } = outcome(quiet, history);
      same(rest, expected);
      const reasons = quarantine
        .slice()
        .filter((each) => !former.some((one) => isDeepStrictEqual(one, each)));
      same(reasons.map(({ reason }) => reason).sort(), ['not_understood', 'unknown_status']);
    });
  });

  it('P5: resolves snapshots of one moment in one way', () => {
    const statuses = ['active', 'scheduled_cancel', 'past_due', 'canceled', 'expired'] as const;
    const order = orderOf('order-1', 0);
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...statuses), { minLength: 1, maxLength: 5 }),
        seed,
        (told, from) => {
          const events = told.map((status, index) => ({
            id: `evt_${index}`,
            provider: 'creem' as const,
            at: 0,
            facts: [subscriptionFact(order, status, 1_000), paymentFact(order)],
          }));
          same(receive(shuffle(events, randomOf(from))), receive(events));
          const { subscriptions } = projectBilling(receive(events), [order], {
            now: 1_000,
            graceMs: GRACE_MS,
          });
          const ends =
            told.includes('canceled') || (told.includes('scheduled_cancel') && !told.some(isStronger));
          expect(subscriptions[0]?.renews).toBe(!ends);
        },
      ),
      { numRuns },
    );
    function isStronger(status: (typeof statuses)[number]) {
      return status === 'past_due' || status === 'expired';
    }
  });

  it('P6: takes nothing back without a refund or a dispute, whatever is cancelled or lapses', () => {
    holds(
      (history, from) => {
        same(
          outcome(
            shuffle(history.deliveries, randomOf(from)),
            history,
            history.end + 400 * DAY,
          ).revocations.filter(({ revokeTarget }) => revokeTarget > 0),
          [],
        );
      },
      ['refund', 'dispute'],
    );
  });

  it('P7: is independent of what the other provider tells in between', () => {
    holds((history) => {
      const of = (provider: string) => history.deliveries.filter((each) => each.provider === provider);
      const expected = outcome(history.deliveries, history);
      same(outcome([...of('creem'), ...of('bagelpay')], history), expected);
      same(outcome([...of('bagelpay'), ...of('creem')], history), expected);
      const grants = [...outcome(of('creem'), history).grants, ...outcome(of('bagelpay'), history).grants];
      expect(creditsOf({ ...expected, grants })).toBe(creditsOf(expected));
    });
  });

  it('P8: takes back at most what was granted, the rounded-up share of each refund, all of it for a dispute', () => {
    holds((history, from) => {
      const { revocations } = outcome(replay(history.deliveries, from, true), history);
      const real = periodsOf(history).flatMap(({ keys, credits, charges }) => {
        const target = targetOf(credits, charges);
        return target === 0 ? [] : [[keys[0], target]];
      });
      const wanted = revocations.filter(({ revokeTarget }) => revokeTarget > 0);
      same(wanted.map(({ paymentKey, revokeTarget }) => [paymentKey, revokeTarget]).sort(), real.sort());
    });
  });

  it('P8b: takes back for several refunds what one refund of their sum takes', () => {
    const order = orderOf('order-1', 0, { planKey: 'gemini_pro' });
    const payment = paymentFact(order);
    const parts = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(parts, seed, fc.boolean(), (amounts, from, isDisputed) => {
        const totals = amounts.map((_, index) =>
          Math.min(
            order.priceMinor,
            amounts.slice(0, index + 1).reduce((sum, each) => sum + each, 0),
          ),
        );
        const told = [payment, ...totals.map((total) => refundFact(payment, total))];
        if (isDisputed) told.push(...([disputeFact(payment.transactionId)] as never[]));
        const facts = shuffle(told, randomOf(from));
        const [revocation] = targetsOf(facts);
        const [whole] = targetsOf([payment, refundFact(payment, totals.at(-1) ?? 0)]);
        expect(revocation).toBe(isDisputed ? order.credits : whole);
        expect(revocation).toBeLessThanOrEqual(order.credits);
      }),
      { numRuns },
    );
    function targetsOf(facts: Parameters<typeof mergeFacts>[1]['facts']) {
      const snapshot = mergeFacts(EMPTY_SNAPSHOT, { provider: 'creem', mode: 'test', facts });
      return projectBilling(snapshot, [order], { now: 0, graceMs: 0 }).revocations.map(
        ({ revokeTarget }) => revokeTarget,
      );
    }
  });

  it('P9: comes to the same from webhooks, from asking, and from both', () => {
    holds((history) => {
      const asked = pollFacts(history).reduce(
        (snapshot, news) => mergeFacts(snapshot, { ...news, mode: 'test' }),
        EMPTY_SNAPSHOT,
      );
      const both = pollFacts(history).reduce(
        (snapshot, news) => mergeFacts(snapshot, { ...news, mode: 'test' }),
        receive(history.deliveries),
      );
      const told = project(receive(history.deliveries), history, history.end);
      same(project(both, history, history.end), told);
      // A provider that is asked later says nothing of a failure that something followed.
      const { quarantine: _, ...rest } = project(forgetFailures(asked), history, history.end);
      const { quarantine: __, ...expected } = project(
        forgetFailures(receive(history.deliveries)),
        history,
        history.end,
      );
      same(rest, expected);
    });
    function forgetFailures(snapshot: ProviderSnapshot): ProviderSnapshot {
      const entries = [...snapshot.subscriptions].map(
        ([key, entry]) => [key, { ...entry, failedAt: null }] as const,
      );
      return { ...snapshot, subscriptions: new Map(entries) };
    }
  });

  it('P10: is usable to the last moment of what is paid and no longer, each period after the one before', () => {
    holds((history) => {
      const snapshot = receive(history.deliveries);
      for (const { charges, order } of history.contracts) {
        const own = project(snapshot, { orders: [order] }, history.end);
        const [view] = own.subscriptions;
        if (!view) continue;
        const isUsable = (now: number) => project(snapshot, { orders: [order] }, now).subscription?.active;
        if (view.accessUntil !== null) {
          expect([isUsable(view.accessUntil - 1), isUsable(view.accessUntil)]).toEqual([true, false]);
          expect(view.accessUntil - (view.paidUntil ?? 0)).toBe(
            (view.renews || view.hasLapsed) && !view.lastRefunded ? GRACE_MS : 0,
          );
        }
        for (const { start, end } of charges) {
          const at = (now: number) =>
            own.grants.filter((grant) => grant.startsAt.getTime() <= now && now < grant.expiresAt.getTime());
          expect([at(start).length, at(end - 1).length]).toEqual([1, 1]);
        }
      }
    });
  });

  it('P15: grants the same when it is told 90 days late, and begins no plan that is over', () => {
    holds((history, from) => {
      const random = randomOf(from);
      const late = history.deliveries.filter(() => random() < 0.5);
      const later = history.end + 90 * DAY;
      const inTime = history.deliveries.filter((each) => !late.includes(each));
      same(receive(late, receive(inTime)), receive(history.deliveries));
      const { subscription, grants, revocations } = project(receive(late, receive(inTime)), history, later);
      same(grants, outcome(history.deliveries, history).grants);
      same(revocations, outcome(history.deliveries, history).revocations);
      const lastEnd = Math.max(...chargesOf(history).map(({ charge }) => charge.end));
      if (lastEnd + GRACE_MS <= later) expect(subscription?.active ?? false).toBe(false);
    });
  });

  it('P16: lets no free month begin while a plan is paid or its renewal may be on its way, and one in its grace', () => {
    holds((history) => {
      const snapshot = receive(history.deliveries);
      for (const now of moments(history)) {
        const { freePausedUntil, subscriptions, subscription } = project(snapshot, history, now);
        const ends = subscriptions
          .filter(({ accessUntil }) => (accessUntil ?? 0) > now)
          .map(({ paidUntil }) => paidUntil ?? 0);
        const pause = freePausedUntil?.getTime() ?? 0;
        expect(pause).toBeGreaterThanOrEqual(Math.max(0, ...ends));
        expect(pause).toBeLessThanOrEqual(Math.max(0, ...ends.map((end) => end + DAY / 24)));
        expect(freePausedUntil !== null).toBe(subscription?.active ?? false);
      }
    });
  });
});
