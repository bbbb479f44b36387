import { expect, it } from 'vitest';
import { contextTokensOf, USUAL_ANSWER_TOKENS } from './context-rules.ts';
import { modelsFileSchema, resolveModelRoutes } from './model-routes.ts';
import { MODELS } from './models.ts';
import { PLANS } from './plans.ts';
import { UPSTREAM_PRICES, upstreamPriceAt } from './upstream-prices.ts';

const settings = { geminiApiKey: 'k', geminiBaseUrl: 'http://gemini', readVariable: () => undefined };
const routes = resolveModelRoutes({ ...settings, modelsFile: null });
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
    const context = contextTokensOf(model, routes, at) ?? 0;
    expect.soft(context, model.id).toBeGreaterThanOrEqual(16_000);
    for (const route of routes[model.id] ?? []) {
      const price = upstreamPriceAt(route.model, at);
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

it.each([
  ['parley-flash', '2026-12-31T23:59:59Z', 122_000],
  ['parley-flash', '2027-01-01T00:00:00Z', 56_000],
  ['parley-pro', '2026-11-30T23:59:59Z', 56_000],
  ['parley-pro', '2026-12-01T00:00:00Z', 23_000],
  ['gemini-2.5-flash', '2027-01-01T00:00:00Z', 64_000],
] as const)('%s reads at most so much on %s', (id, at, tokens) => {
  const model = sold.find((one) => one.id === id);
  expect(model && contextTokensOf(model, routes, new Date(at))).toBe(tokens);
});

it('a route whose price is not known sets no limit by it', () => {
  const modelsFile = modelsFileSchema.parse({ 'parley-pro': [{ dialect: 'gemini', model: 'of-our-own' }] });
  const own = resolveModelRoutes({ ...settings, modelsFile });
  const model = sold.find(({ id }) => id === 'parley-pro');
  expect(model && contextTokensOf(model, own, new Date('2026-12-01'))).toBe(128_000);
});

it('the price of a model is the newest that has begun', () => {
  expect(upstreamPriceAt('gemini-2.5-pro', new Date('2026-11-30T23:59:59Z'))).toMatchObject({ input: 1.25 });
  expect(upstreamPriceAt('gemini-2.5-pro', new Date('2026-12-01'))).toMatchObject({ input: 0.75 });
  expect(upstreamPriceAt('gemini-2.5-pro', new Date('2027-02-01'))).toMatchObject({ input: 1.5 });
  for (const prices of Object.values(UPSTREAM_PRICES)) {
    expect(prices.map(({ from }) => from)).toEqual(prices.map(({ from }) => from).toSorted());
  }
});
