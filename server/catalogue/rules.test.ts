import { describe, expect, it } from 'vitest';
import type { Tier } from '#contract/catalogue.ts';
import { extraPricesAt } from './extra-prices.ts';
import { MODELS } from './models.ts';
import { FREE_CREDITS, PLANS } from './plans.ts';
import { findModel, isAskable, isModelAllowed, priceOf, tierOf } from './rules.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 21);

describe('the price table of the specification, section 9', () => {
  it.each([
    ['parley-pro', 20],
    ['parley-flash', 15],
    ['gemini-2.5-pro', 12],
    ['gemini-2.5-flash', 10],
    ['gemini-2.5-flash-lite', 8],
    ['gemini-computer-use', 15],
  ])('%s costs %i Credits', (model, cost) => {
    expect(findModel(model)?.cost).toBe(cost);
  });

  it('a model that is coming soon or unknown cannot be asked', () => {
    const soon = MODELS.filter((model) => model.cost === null).map((model) => model.id);
    expect(soon).toEqual([
      'gemini-3-flash-lite',
      'gemini-3.5-pro',
      'gemini-3.5-flash',
      'gemini-2.0-flash-thinking',
    ]);
    for (const id of [...soon, 'gpt-9', '', '__proto__', 'constructor']) expect(isAskable(id)).toBe(false);
  });
});

it('the model that drives a browser, and no other, says so in both languages', () => {
  for (const { computerUse, description } of MODELS) {
    expect(description.zh.includes('操作浏览器')).toBe(computerUse);
    expect(description.en.includes('Uses a browser')).toBe(computerUse);
  }
});

describe('the rights of the specification, section 6', () => {
  it.each<[Tier, string[]]>([
    ['free', ['parley-flash', 'gemini-2.5-flash-lite']],
    ['basic', ['parley-pro', 'parley-flash', 'gemini-2.5-flash', 'gemini-2.5-flash-lite']],
    [
      'pro',
      [
        'parley-pro',
        'parley-flash',
        'gemini-2.5-pro',
        'gemini-2.5-flash',
        'gemini-2.5-flash-lite',
        'gemini-computer-use',
      ],
    ],
  ])('%s may use exactly its models', (tier, models) => {
    const allowed = MODELS.filter(({ id, pictures }) => isModelAllowed(tier, id) && !pictures);
    expect(allowed.map(({ id }) => id)).toEqual(models);
  });

  it('the model that makes pictures, which the specification does not know, is for subscribers at its own prices', () => {
    const made = MODELS.filter(({ pictures }) => pictures);
    expect(made.map(({ id, tiers }) => [id, tiers])).toEqual([['gemini-3.1-flash-image', ['basic', 'pro']]]);
    for (const { cost } of made) expect(cost).toBe(extraPricesAt(new Date(NOW)).picture['1K']);
  });

  it('nobody may use a model that has no cost', () => {
    for (const model of MODELS) expect(model.tiers.length > 0).toBe(model.cost !== null);
    for (const id of ['gpt-9', '__proto__', 'toString']) expect(isModelAllowed('pro', id)).toBe(false);
  });
});

describe('plans and prices', () => {
  it('Free is 40 Credits a month for nothing, under either cycle', () => {
    expect(FREE_CREDITS).toBe(40);
    expect(PLANS[0]?.prices.map(({ totalCents, credits }) => [totalCents, credits])).toEqual([
      [0, 40],
      [0, 40],
    ]);
  });

  it.each([
    ['gemini_basic', 'monthly', 690, 690, 500],
    ['gemini_basic', 'annual', 490, 5880, 6000],
    ['gemini_pro', 'monthly', 1190, 1190, 1500],
    ['gemini_pro', 'annual', 990, 11_880, 18_000],
  ] as const)('%s %s', (key, cycle, monthlyCents, totalCents, credits) => {
    expect(priceOf(key, cycle)).toEqual({ cycle, monthlyCents, totalCents, credits });
  });

  it('only Pro includes Computer Use', () => {
    expect(PLANS.filter((plan) => plan.includesComputerUse).map((plan) => plan.key)).toEqual(['gemini_pro']);
  });
});

describe('the tier of a subscription', () => {
  const basic = { planKey: 'gemini_basic', active: true, expiresAt: NOW + DAY } as const;

  it.each([
    [null, 'free'],
    [basic, 'basic'],
    [{ ...basic, planKey: 'gemini_pro' } as const, 'pro'],
    [{ ...basic, expiresAt: null }, 'basic'],
    [{ ...basic, active: false }, 'free'],
    [{ ...basic, expiresAt: NOW }, 'free'],
    [{ ...basic, expiresAt: NOW + 1 }, 'basic'],
    [{ ...basic, expiresAt: NOW - 1 }, 'free'],
  ] as const)('%j gives %s', (subscription, tier) => {
    expect(tierOf(subscription, NOW)).toBe(tier);
  });
});
