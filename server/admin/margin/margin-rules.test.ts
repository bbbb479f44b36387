import { describe, expect, it } from 'vitest';
import type { MarginLine } from '#contract/admin/margin.ts';
import { countDays, daysOf, judgeLine, lossesFirst, periodOf } from './margin-rules.ts';
import { presentMarginCsv } from './present-margin-csv.ts';

const NOW = new Date('2026-11-26T23:30:00Z');
const sums = (name: string | null, revenue: number, cost: number, answers = 1) => ({
  ...{ name, answers, credits: 10, revenue, cost, margin: revenue - cost, estimated: 0, unknown: 0 },
});

describe('the days of a margin', () => {
  it.each([
    ['thirty without any', {}, { from: '2026-10-28', to: '2026-11-26' }, 30],
    ['today', { count: 1 }, { from: '2026-11-26', to: '2026-11-26' }, 1],
    ['so many up to a day', { to: '2026-03-01', count: 7 }, { from: '2026-02-23', to: '2026-03-01' }, 7],
    ['from a day up to today', { from: '2026-11-20' }, { from: '2026-11-20', to: '2026-11-26' }, 7],
    [
      'in the wrong order',
      { from: '2026-11-20', to: '2026-11-18' },
      { from: '2026-11-20', to: '2026-11-18' },
      -1,
    ],
  ])('are %s', (_, asked, days, count) => {
    expect(daysOf(asked, NOW)).toEqual(days);
    expect(countDays(days)).toBe(count);
  });

  it('begin with the first and end with the last, in UTC', () => {
    expect(periodOf({ from: '2026-11-25', to: '2026-11-26' })).toEqual({
      ...{ from: new Date('2026-11-25T00:00:00Z'), to: new Date('2026-11-27T00:00:00Z') },
    });
  });
});

describe('a line of the margin', () => {
  it('is below cost when it was sold for less, and never for what is free by design', () => {
    const isBelow = (of: 'model' | 'plan' | 'feature', line: ReturnType<typeof sums>) =>
      judgeLine(of, line).isBelowCost;
    expect(isBelow('model', sums('m', 5, 6))).toBe(true);
    expect(isBelow('model', sums('m', 6, 6))).toBe(false);
    expect(isBelow('plan', sums('gemini_pro', 0, 6))).toBe(true);
    expect(isBelow('plan', sums('free', 0, 6))).toBe(false);
    expect(isBelow('feature', sums('title', 0, 6, 0))).toBe(false);
  });

  it('has its margin in percent to a tenth, and none without revenue', () => {
    expect(judgeLine('model', sums('m', 3_000, 1_000)).percent).toBe(66.7);
    expect(judgeLine('model', sums('m', 1_000, 3_000)).percent).toBe(-200);
    expect(judgeLine('model', sums('m', 0, 3_000)).percent).toBeNull();
  });

  it('stands before all others when it is below cost, the largest loss first', () => {
    const lines = [sums('a', 9, 8), sums('b', 1, 2), sums('c', 3, 0), sums('d', 0, 9)];
    const judged = lines.map((line) => judgeLine('model', line));
    expect(lossesFirst(judged).map(({ name }) => name)).toEqual(['d', 'b', 'a', 'c']);
  });
});

it('the margin as CSV has the total and every list, a loss as a number', () => {
  const line = (of: 'all' | 'model' | 'plan' | 'feature', name: string | null): MarginLine =>
    judgeLine(of, { ...sums(name, 1_000_000, 2_500_001), estimated: 500_000 });
  const csv = presentMarginCsv({
    ...{ from: '2026-11-01', to: '2026-11-02', otherCurrencies: [], total: line('all', null) },
    ...{ byModel: [line('model', 'parley-flash')], byPlan: [line('plan', 'free')], byFeature: [] },
  });
  const [head, ...rows] = csv.trimEnd().split('\r\n');
  expect(head).toContain('group,name,answers,credits,revenue_usd,cost_usd,margin_usd,margin_percent');
  expect(rows).toEqual([
    'total,,1,10,1,2.500001,-1.500001,-150,0.5,0,yes',
    'model,parley-flash,1,10,1,2.500001,-1.500001,-150,0.5,0,yes',
    'plan,free,1,10,1,2.500001,-1.500001,-150,0.5,0,no',
  ]);
});
