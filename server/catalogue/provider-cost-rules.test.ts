import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pictureSizeSchema } from '#contract/message/quotes.ts';
import { reckonCost } from '#test/credits/reckon-cost.ts';
import { runs } from '#test/runs.ts';
import { addConsumption, type Consumption, microUsdOf, providerCost } from './provider-cost-rules.ts';
import { priceAt, pricesFileSchema, UPSTREAM_PRICES, type UpstreamPrice } from './upstream-prices.ts';

const NOTHING: Consumption = {
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  thinkingTokens: 0,
  pictureTokens: 0,
  searches: 0,
  searchedRequests: 0,
  pictures: 0,
  pictureSize: '1K',
  isEstimate: false,
};
const count = fc.nat({ max: 100_000_000 });
const few = fc.nat({ max: 20 });
const consumption = fc
  .record({ read: count, cached: count, written: count, thought: count, drawn: few, queries: few })
  .map(
    ({ read, cached, written, thought, drawn, queries }): Consumption => ({
      ...NOTHING,
      inputTokens: read + cached,
      cachedInputTokens: cached,
      outputTokens: written + thought + drawn * 1_120,
      thinkingTokens: thought,
      pictureTokens: drawn * 1_120,
      pictures: drawn,
      searches: queries,
      searchedRequests: Math.min(queries, 1),
    }),
  );
/** A price as a file may say it: a decimal of six places. */
const usd = fc.nat({ max: 200_000_000 }).map((micro) => micro / 1e6);
const price = fc
  .record({
    input: usd,
    output: usd,
    cachedInput: fc.option(usd),
    searchQuery: usd,
    searchedRequest: usd,
    drawn: usd,
  })
  .map(({ drawn, cachedInput, ...rest }): UpstreamPrice => {
    const picture = { '1K': drawn, '2K': drawn * 2, '4K': drawn * 3 };
    return { from: '2026-01-01', ...rest, picture, ...(cachedInput === null ? {} : { cachedInput }) };
  });

const picoUsd = (consumed: Consumption, by: UpstreamPrice) => {
  const { picoUsd: cost } = providerCost(consumed, by);
  if (cost === null) throw new Error('the cost is not known');
  return cost;
};

describe('the cost of an answer at its provider', () => {
  it('is what another reckoning by decimals says, and never negative', () => {
    fc.assert(
      fc.property(consumption, price, (consumed, by) => {
        const cost = picoUsd(consumed, by);
        expect(cost).toBe(reckonCost(consumed, by));
        expect(cost >= 0n).toBe(true);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('of two together is the sum of both', () => {
    fc.assert(
      fc.property(consumption, consumption, price, (left, right, by) => {
        expect(picoUsd(addConsumption(left, right), by)).toBe(picoUsd(left, by) + picoUsd(right, by));
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('does not fall when more is consumed, or when a price rises', () => {
    const more = fc.record({ consumed: consumption, by: price, extra: fc.nat({ max: 1_000 }) });
    fc.assert(
      fc.property(more, ({ consumed, by, extra }) => {
        const cost = picoUsd(consumed, by);
        for (const key of [
          'inputTokens',
          'outputTokens',
          'searches',
          'searchedRequests',
          'pictures',
        ] as const)
          expect(picoUsd({ ...consumed, [key]: consumed[key] + extra }, by) >= cost).toBe(true);
        for (const key of ['input', 'output', 'searchQuery'] as const)
          expect(picoUsd(consumed, { ...by, [key]: (by[key] ?? 0) + extra }) >= cost).toBe(true);
      }),
      { numRuns: runs(300) },
    );
  });

  it.each([
    [{ inputTokens: 5_000, outputTokens: 300 }, 'gemini-3.6-flash', 9_750],
    [{ inputTokens: 1_000_000, cachedInputTokens: 400_000, outputTokens: 0 }, 'gemini-3.8-flash', 480_000],
    [{ inputTokens: 100, outputTokens: 100, searches: 5, searchedRequests: 1 }, 'gemini-3.8-flash', 70_450],
    [{ inputTokens: 100, outputTokens: 100, searches: 5, searchedRequests: 1 }, 'gemini-2.5-flash', 35_280],
    [
      { inputTokens: 10, outputTokens: 1_130, pictures: 1, pictureTokens: 1_120 },
      'gemini-3.1-flash-image',
      67_035,
    ],
    [{}, 'gemini-3.8-flash', 0],
  ] as const)('of %j by %s is %i millionths of a dollar', (consumed, model, microUsd) => {
    const by = priceAt(UPSTREAM_PRICES[model] ?? [], new Date('2026-11-25'));
    const { picoUsd: cost } = providerCost({ ...NOTHING, ...consumed }, by);
    expect(cost !== null && microUsdOf(cost)).toBe(microUsd);
  });

  it('is not known, and not nothing, where a price is missing', () => {
    const plain: UpstreamPrice = { from: '2026-01-01', input: 1, output: 1 };
    const wrote = { ...NOTHING, outputTokens: 1 };
    const reasons = (consumed: Consumption, by: UpstreamPrice | null) => {
      const { picoUsd: cost, unknown } = providerCost(consumed, by);
      expect(cost === null).toBe(unknown.length > 0);
      return unknown;
    };
    expect(reasons(wrote, null)).toEqual(['price']);
    expect(reasons(wrote, plain)).toEqual([]);
    expect(reasons({ ...wrote, pictures: 1, searches: 1 }, plain)).toEqual(['picture_price', 'search_price']);
    expect(reasons(NOTHING, null)).toEqual([]);
  });

  it.each([
    [499_999n, 0],
    [500_000n, 1],
    [1_499_999n, 1],
    [-500_000n, -1],
    [-499_999n, 0],
  ])('%d pico-dollars are shown as %i micro-dollars', (pico, micro) => {
    expect(microUsdOf(pico)).toBe(micro);
  });

  it('is known for every shipped price, which are as a file may have them', () => {
    for (const prices of Object.values(UPSTREAM_PRICES)) {
      for (const each of prices) {
        expect(pricesFileSchema.safeParse({ model: [each] }).success).toBe(true);
        const searched = { ...NOTHING, inputTokens: 1, searches: 1, searchedRequests: 1 };
        expect(providerCost(searched, each).unknown).toEqual([]);
        if (each.picture) expect(Object.keys(each.picture)).toEqual(pictureSizeSchema.options);
      }
    }
  });
});
