import { expect, it } from 'vitest';
import {
  contextTokensOf,
  earnedOf,
  LONG_ANSWER_TOKENS,
  payablePages,
  USUAL_ANSWER_TOKENS,
  WEB_PAGE_TOKENS,
} from './context-rules.ts';
import { extraPricesAt } from './extra-prices.ts';
import { MODELS } from './models.ts';
import { PLANS } from './plans.ts';
import { modelsFileSchema, resolveChains, UNDATED } from './upstream-chains.ts';
import { priceAt, pricesFileSchema, UPSTREAM_PRICES } from './upstream-prices.ts';

const settings = { geminiApiKey: 'k', geminiBaseUrl: 'http://gemini', readVariable: () => undefined };
const chains = resolveChains({ ...settings, modelsFile: null });
const sold = MODELS.filter((model) => model.cost !== null);

/** The moments around every change of a price, and today. */
const MOMENTS = Object.values(UPSTREAM_PRICES)
  .flat()
  .map(({ from }) => Date.parse(from))
  .flatMap((start) => [start - 1, start])
  .filter((moment) => moment >= Date.parse('2026-11-23'))
  .concat(Date.parse('2026-11-23'), Date.parse('2028-01-01'))
  .map((moment) => new Date(moment));

it.each(MOMENTS)('a message with its whole context earns what it costs on every plan, on %s', (at) => {
  for (const model of sold) {
    const context = contextTokensOf(model, chains, at) ?? 0;
    expect.soft(context, model.id).toBeGreaterThanOrEqual(16_000);
    for (const route of chains[model.id] ?? []) {
      const price = priceAt(UPSTREAM_PRICES[route.model] ?? [], at);
      if (!price) throw new Error(`no price for ${route.model}`);
      const cost = (context * price.input + USUAL_ANSWER_TOKENS * price.output) / 1_000_000;
      for (const plan of PLANS.filter(({ key, tier }) => key !== null && model.tiers.includes(tier))) {
        for (const { totalCents, credits } of plan.prices) {
          const earned = ((model.cost ?? 0) * totalCents) / 100 / credits;
          expect.soft(earned, `${model.id} by ${route.model} on ${plan.tier}`).toBeGreaterThanOrEqual(cost);
        }
      }
    }
  }
});

it.each(MOMENTS)(
  'a picture with all that its model reads earns what it costs, in each size on every plan, on %s',
  (at) => {
    for (const model of sold.filter(({ pictures }) => pictures)) {
      const context = contextTokensOf(model, chains, at) ?? 0;
      for (const route of chains[model.id] ?? []) {
        const price = priceAt(UPSTREAM_PRICES[route.model] ?? [], at);
        if (!price?.picture) throw new Error(`no price for ${route.model}`);
        const read = (context * price.input + USUAL_ANSWER_TOKENS * price.output) / 1_000_000;
        for (const size of model.pictures?.sizes ?? []) {
          const earned = earnedOf(model, extraPricesAt(at).picture[size]);
          expect.soft(earned, `${size} by ${route.model}`).toBeGreaterThanOrEqual(read + price.picture[size]);
        }
      }
    }
  },
);

it.each([
  ['parley-flash', '2026-12-31T23:59:59Z', 122_000],
  ['parley-flash', '2027-01-01T00:00:00Z', 56_000],
  ['parley-pro', '2026-11-30T23:59:59Z', 56_000],
  ['parley-pro', '2026-12-01T00:00:00Z', 23_000],
  ['gemini-2.5-flash', '2027-01-01T00:00:00Z', 64_000],
] as const)('%s reads at most so much on %s', (id, at, tokens) => {
  const model = sold.find((one) => one.id === id);
  expect(model && contextTokensOf(model, chains, new Date(at))).toBe(tokens);
});

/** US dollars that a message to the model brings on the plan whose Credits are cheapest. */
function leastEarned(model: (typeof sold)[number]): number {
  const prices = PLANS.filter(({ key, tier }) => key !== null && model.tiers.includes(tier)).flatMap((plan) =>
    plan.prices.map(({ totalCents, credits }) => ((model.cost ?? 0) * totalCents) / 100 / credits),
  );
  return Math.min(...prices);
}

it.each(MOMENTS)('a message that thinks much, or has pages opened, earns what it costs too, on %s', (at) => {
  for (const model of sold) {
    for (const effort of ['low', 'medium', 'high'] as const) {
      const context = contextTokensOf(model, chains, at, effort) ?? 0;
      const pages = payablePages(context);
      expect.soft(context, `${model.id}, ${effort}`).toBeGreaterThanOrEqual(8_000);
      // What is opened takes the room of what was said before.
      expect.soft(pages * WEB_PAGE_TOKENS).toBeLessThanOrEqual(context / 2);
      const answer = effort === 'high' ? LONG_ANSWER_TOKENS : USUAL_ANSWER_TOKENS;
      for (const route of chains[model.id] ?? []) {
        const price = priceAt(route.prices, at);
        if (!price) throw new Error(`no price for ${route.model}`);
        const cost = (context * price.input + answer * price.output) / 1_000_000;
        expect
          .soft(leastEarned(model), `${model.id} by ${route.model}, ${effort}`)
          .toBeGreaterThanOrEqual(cost);
      }
    }
  }
});

it.each([
  ['parley-pro', '2026-11-30', 46_000, 4],
  ['parley-pro', '2026-12-01', 13_000, 1],
  ['parley-flash', '2026-12-31', 112_000, 5],
  ['parley-flash', '2027-01-01', 46_000, 4],
] as const)(
  '%s that thinks much on %s reads at most %i tokens, of them %i pages',
  (id, day, tokens, pages) => {
    const model = sold.find((one) => one.id === id);
    expect(model && contextTokensOf(model, chains, new Date(day), 'high')).toBe(tokens);
    expect(payablePages(tokens)).toBe(pages);
  },
);

it('a route may say its price, which holds before the list, and the file of prices before what is shipped', () => {
  const price = { input: 1, output: 2 };
  const modelsFile = modelsFileSchema.parse({
    'parley-pro': [
      { dialect: 'gemini', model: 'gemini-4-argon', price },
      { dialect: 'gemini', model: 'of-our-own', price },
      { dialect: 'gemini', model: 'unknown' },
      { dialect: 'gemini', model: 'listed' },
    ],
  });
  const pricesFile = pricesFileSchema.parse({
    listed: [
      { from: '2026-12-01', input: 4, output: 6 },
      { from: '2026-01-01', input: 3, output: 5 },
    ],
    'gemini-3.8-flash': [{ from: '2026-01-01', input: 7, output: 8 }],
  });
  const own = resolveChains({ ...settings, modelsFile, pricesFile });
  const prices = (own['parley-pro'] ?? []).map((route) => priceAt(route.prices, new Date('2026-11-30')));
  expect(prices).toEqual([
    { from: '2026-10-13', searchQuery: 0.014, ...price },
    { from: UNDATED, ...price },
    null,
    { from: '2026-01-01', input: 3, output: 5 },
  ]);
  expect(priceAt(own['parley-flash']?.[0]?.prices ?? [], new Date())).toMatchObject({ input: 7, output: 8 });
});

it.each([
  [{ from: '2026-13-01', input: 1, output: 1 }],
  [{ from: '2026-12-01', input: -1, output: 1 }],
  [{ from: '2026-12-01', input: 0.0000001, output: 1 }],
  [{ from: '2026-12-01', input: 5e-11, output: 1 }],
  [{ from: '2026-12-01', input: 1.00000000005, output: 1 }],
  [{ from: '2026-12-01', input: 1, cachedInput: 1.000001, output: 1 }],
  [{ from: '2026-12-01', input: 1 }],
  [{ from: '2026-12-01', input: 1, output: 1, extra: 1 }],
])('a price of the file that cannot be one is refused: %j', (price) => {
  expect(pricesFileSchema.safeParse({ model: [price] }).success).toBe(false);
});

it('two prices of one day are refused', () => {
  const price = { from: '2026-12-01', input: 1, output: 1 };
  expect(pricesFileSchema.safeParse({ model: [price, { ...price, input: 2 }] }).success).toBe(false);
});

it('a route whose price is not known sets no limit by it', () => {
  const modelsFile = modelsFileSchema.parse({ 'parley-pro': [{ dialect: 'gemini', model: 'of-our-own' }] });
  const own = resolveChains({ ...settings, modelsFile });
  const model = sold.find(({ id }) => id === 'parley-pro');
  expect(model && contextTokensOf(model, own, new Date('2026-12-01'))).toBe(128_000);
});

it('the price of a model is the newest that has begun', () => {
  const inputAt = (at: string) => priceAt(UPSTREAM_PRICES['gemini-2.5-pro'] ?? [], new Date(at))?.input;
  expect([
    inputAt('2020-01-01'),
    inputAt('2026-11-30T23:59:59Z'),
    inputAt('2026-12-01'),
    inputAt('2027-02-01'),
  ]).toEqual([1.25, 1.25, 0.75, 1.5]);
  for (const prices of Object.values(UPSTREAM_PRICES)) {
    expect(prices.map(({ from }) => from)).toEqual(prices.map(({ from }) => from).toSorted());
    expect(pricesFileSchema.safeParse({ model: prices.slice(-1) }).success).toBe(true);
  }
});
