import { afterEach, describe, expect, it } from 'vitest';
import { DAY, orderOf, paymentFact } from '#test/billing/world.ts';
import { mergeFacts } from '../facts/merge-facts.ts';
import { addMonths, GRACE_MS } from '../facts/period-rules.ts';
import { EMPTY_SNAPSHOT } from '../facts/provider-snapshot.ts';
import { projectBilling } from './project-billing.ts';

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

const day = (time: Date | number) => new Date(time).toISOString().slice(0, 10);
/** The last day of each month of a leap year, and what follows. */
const ENDS = [
  ...['2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30', '2028-05-31', '2028-06-30', '2028-07-31'],
  ...['2028-08-31', '2028-09-30', '2028-10-31', '2028-11-30', '2028-12-31', '2029-01-31', '2029-02-28'],
];

/** Fourteen months of an order on the 31st, reported with their periods or only with the moment of each charge. */
function fourteenMonths(toldPeriods: boolean) {
  const order = orderOf('order-1', Date.UTC(2027, 11, 31, 22, 30));
  const anchor = order.createdAt.getTime();
  const payments = Array.from({ length: 14 }, (_, month) => {
    const start = new Date(addMonths(anchor, month));
    const period = { periodStart: start, periodEnd: new Date(addMonths(anchor, month + 1)) };
    const untold = { periodStart: null, periodEnd: null };
    return paymentFact(order, {
      ...{ transactionId: `tran_${month}`, paidAt: start },
      ...(toldPeriods ? period : untold),
    });
  });
  return { order, anchor, payments };
}

describe.each(['UTC', 'America/New_York', 'Pacific/Apia'])('fourteen months on a host in %s', (host) => {
  it.each([true, false])(
    'are fourteen buckets, end to end, anchored on the 31st; told periods: %s',
    (told) => {
      process.env.TZ = host;
      const { order, anchor, payments } = fourteenMonths(told);
      let snapshot = EMPTY_SNAPSHOT;
      for (const [month, payment] of payments.entries()) {
        const now = addMonths(anchor, month);
        const before = projectBilling(snapshot, [order], { now, graceMs: GRACE_MS });
        expect(before.grants.filter(({ expiresAt }) => expiresAt.getTime() > now)).toEqual([]);
        expect(before.freePausedUntil?.getTime() ?? null).toBe(month === 0 ? null : now + DAY / 24);
        snapshot = mergeFacts(snapshot, { provider: 'creem', mode: 'test', facts: [payment] });
      }
      const { grants } = projectBilling(snapshot, [order], { now: anchor, graceMs: GRACE_MS });
      expect(grants.map(({ expiresAt }) => day(expiresAt))).toEqual(ENDS);
      expect(grants.slice(1).map(({ startsAt }) => startsAt)).toEqual(
        grants.slice(0, -1).map(({ expiresAt }) => expiresAt),
      );
      for (let now = anchor; now < addMonths(anchor, 14); now += DAY / 4)
        expect(
          grants.filter((each) => each.startsAt.getTime() <= now && now < each.expiresAt.getTime()),
        ).toHaveLength(1);
      const aYear = grants.filter(({ startsAt }) => startsAt.getTime() < addMonths(anchor, 12));
      expect(aYear).toHaveLength(12);
    },
  );

  it('are two buckets of an annual plan, each valid a year, begun on a leap day', () => {
    process.env.TZ = host;
    const order = orderOf('order-1', Date.UTC(2028, 1, 29, 0, 30), { cycle: 'annual' });
    const untold = { periodStart: null, periodEnd: null };
    const second = new Date(addMonths(order.createdAt.getTime(), 12));
    const facts = [
      paymentFact(order),
      paymentFact(order, { ...untold, transactionId: 'tran_2', paidAt: second }),
    ];
    const snapshot = mergeFacts(EMPTY_SNAPSHOT, { provider: 'creem', mode: 'test', facts });
    const { grants } = projectBilling(snapshot, [order], { now: 0, graceMs: GRACE_MS });
    expect(grants.map(({ startsAt, expiresAt, amount }) => [day(startsAt), day(expiresAt), amount])).toEqual([
      ['2028-02-29', '2029-02-28', order.credits],
      ['2029-02-28', '2030-02-28', order.credits],
    ]);
  });
});

describe('a period that the provider does not tell', () => {
  const opened = Date.UTC(2027, 8, 1, 10);
  const order = orderOf('order-1', opened);
  const charge = (id: string, paidAt: number) =>
    paymentFact(order, {
      ...{ transactionId: id, paidAt: new Date(paidAt), periodStart: null, periodEnd: null },
    });
  const periodsOf = (...facts: ReturnType<typeof charge>[]) =>
    projectBilling(mergeFacts(EMPTY_SNAPSHOT, { provider: 'creem', mode: 'test', facts }), [order], {
      now: opened,
      graceMs: 0,
    }).grants.map(({ startsAt, expiresAt }) => [startsAt.getTime(), expiresAt.getTime()]);
  const paid = Date.UTC(2027, 8, 2, 9);
  const month = (at: number, index: number) => [addMonths(at, index), addMonths(at, index + 1)];

  it('begins when the page was paid, and each further one a month after it', () => {
    const first = charge('tran_1', paid);
    const second = charge('tran_2', addMonths(paid, 1) + DAY / 24);
    expect(periodsOf(first)).toEqual([month(paid, 0)]);
    expect(periodsOf(second, first)).toEqual([month(paid, 0), month(paid, 1)]);
  });

  it('is counted from when the page was opened where only a renewal is known', () => {
    expect(periodsOf(charge('tran_2', addMonths(paid, 1)))).toEqual([month(opened, 1)]);
  });
});

describe('a period that the provider tells', () => {
  const order = orderOf('order-1', Date.UTC(2029, 0, 31));
  const grantsFor = (end: string) =>
    projectBilling(
      mergeFacts(EMPTY_SNAPSHOT, {
        provider: 'creem',
        mode: 'test',
        facts: [paymentFact(order, { periodEnd: new Date(end) })],
      }),
      [order],
      { now: 0, graceMs: 0 },
    ).grants.map(({ expiresAt }) => day(expiresAt));

  it('is taken as told where it ends a month too short differently', () => {
    expect(grantsFor('2029-02-28T00:00:00Z')).toEqual(['2029-02-28']);
    expect(grantsFor('2029-03-03T00:00:00Z')).toEqual(['2029-03-03']);
  });

  it('grants nothing where it is not what was sold', () => {
    expect(grantsFor('2030-01-31T00:00:00Z')).toEqual([]);
    expect(grantsFor('2029-02-01T00:00:00Z')).toEqual([]);
    expect(grantsFor('2029-01-30T00:00:00Z')).toEqual([]);
  });
});
