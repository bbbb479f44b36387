import { expect, it } from 'vitest';
import type { CataloguePlan } from '#contract/catalogue.ts';
import { formatCharge, formatMonthly, formatSaving, messagesFor, planOffer } from './plan-price.ts';

function plan(monthly: number, yearly: number): CataloguePlan {
  return {
    key: 'gemini_basic',
    tier: 'basic',
    title: { zh: '', en: '' },
    description: { zh: '', en: '' },
    prices: [
      { cycle: 'monthly', monthlyUSD: monthly, totalUSD: monthly, credits: 500 },
      { cycle: 'annual', monthlyUSD: yearly / 12, totalUSD: yearly, credits: 6000 },
    ],
    includesComputerUse: false,
    prioritySupport: false,
  };
}

it('saves by the year what twelve months would cost more', () => {
  expect(planOffer(plan(6.9, 58.8), 'annual')).toMatchObject({ totalUSD: 58.8, savedPercent: 29 });
  expect(planOffer(plan(6.9, 58.8), 'annual').savedUSD).toBeCloseTo(24);
  expect(planOffer(plan(11.9, 118.8), 'annual')).toMatchObject({ credits: 6000, savedPercent: 17 });
});

it('saves nothing by the month, and nothing on what is free', () => {
  expect(planOffer(plan(6.9, 58.8), 'monthly')).toMatchObject({ savedUSD: 0, savedPercent: 0, credits: 500 });
  expect(planOffer(plan(0, 0), 'annual')).toMatchObject({ savedUSD: 0, savedPercent: 0 });
});

it('counts the messages that can be paid in full', () => {
  expect([40, 500, 6_000, 18_000].map((credits) => messagesFor(credits, 15))).toEqual([2, 33, 400, 1_200]);
});

it('writes what a plan costs a month with one decimal', () => {
  expect([0, 4.9, 11.9].map(formatMonthly)).toEqual(['$0', '$4.9', '$11.9']);
});

it.each(['zh', 'en'] as const)('writes what is charged with its cents in %s', (language) => {
  expect(formatCharge(language, 58.800000000000004)).toBe('$58.80');
  expect(formatCharge(language, 6.9)).toBe('$6.90');
});

it.each(['zh', 'en'] as const)('writes a saving of whole dollars without cents in %s', (language) => {
  expect([24.000000000000004, 24.5, 0].map((amount) => formatSaving(language, amount))).toEqual([
    '$24',
    '$24.50',
    '$0',
  ]);
});
