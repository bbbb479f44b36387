import { z } from 'zod';
import { pictureSizeSchema } from '#contract/message/quotes.ts';
import { dayOf } from '#contract/time.ts';

/** US dollars, to the millionth at most, so that every cost is a whole number of pico-dollars. */
const usd = z
  .number()
  .min(0)
  .max(100_000)
  .refine((value) => Number(value.toFixed(6)) === value, 'at most six decimals');

/** What an upstream model costs from a day on, in US dollars. Tokens are priced by the million, and thinking counts as output. */
const upstreamPriceSchema = z
  .strictObject({
    /** The first day, UTC: `YYYY-MM-DD`. */
    from: z.iso.date(),
    input: usd,
    output: usd,
    /** Input that the provider had cached; absent: as any input. */
    cachedInput: usd.optional(),
    /** A picture made, by its size, its tokens included; absent: the model makes none. */
    picture: z.record(pictureSizeSchema, usd).optional(),
    /** One executed query of a web search; absent: not known. */
    searchQuery: usd.optional(),
    /** One request that searched, however many queries it ran, where that is what the provider counts. */
    searchedRequest: usd.optional(),
  })
  .refine(({ input, cachedInput = 0 }) => cachedInput <= input, {
    path: ['cachedInput'],
    error: 'at most the price of input',
  });
export type UpstreamPrice = Readonly<z.infer<typeof upstreamPriceSchema>>;

/** Prices by upstream model, oldest first. */
export type UpstreamPrices = Readonly<Record<string, readonly UpstreamPrice[]>>;

/** `PROVIDER_PRICES_FILE`: a model that it names loses its shipped prices. */
export const pricesFileSchema = z.record(
  z.string().min(1).max(200),
  z
    .array(upstreamPriceSchema)
    .min(1)
    .refine((prices) => new Set(prices.map(({ from }) => from)).size === prices.length, 'one price a day')
    .transform((prices) => prices.toSorted((left, right) => (left.from < right.from ? -1 : 1))),
);

/** What Google takes for what it had cached, of the price of input (ai.google.dev/gemini-api/docs/caching). */
const CACHED_SHARE = 0.1;
/** An executed query of Google's search for Gemini 3 and newer; Gemini 2.5 pays for each request that searched. */
const SEARCH_QUERY = 0.014;
const SEARCHED_REQUEST = 0.035;

function gemini(from: string, input: number, output: number, more: Partial<UpstreamPrice> = {}) {
  const cachedInput = Math.round(input * CACHED_SHARE * 1e6) / 1e6;
  return { from, input, output, cachedInput, searchQuery: SEARCH_QUERY, ...more };
}

function gemini25(from: string, input: number, output: number) {
  return gemini(from, input, output, { searchQuery: undefined, searchedRequest: SEARCHED_REQUEST });
}

const GEMINI_FLASH_38: readonly UpstreamPrice[] = [
  gemini('2026-09-02', 0.75, 3.75),
  gemini('2027-01-01', 1.5, 7.5),
];
const GEMINI_FLASH_LITE_35: UpstreamPrice = gemini('2026-07-21', 0.3, 2.5);

/**
 * Google's list prices, by upstream model, oldest first. `gemini-4-argon` with its step: ai.google.dev, "latest model", a stored
 * copy. The others come at second hand, from gateways' price lists: check them against Google's pricing page before relying on them.
 * From some days on Google answers requests for older models with newer ones, at the newer ones' prices.
 */
export const UPSTREAM_PRICES: UpstreamPrices = {
  'gemini-4-argon': [gemini('2026-10-13', 2, 10), gemini('2026-12-01', 4, 20)],
  'gemini-3.8-flash': GEMINI_FLASH_38,
  'gemini-3.7-flash': routed('2026-10-08', GEMINI_FLASH_38),
  'gemini-3.6-flash': [gemini('2026-07-21', 1.5, 7.5)],
  'gemini-3.5-flash-lite': [GEMINI_FLASH_LITE_35],
  'gemini-2.5-pro': [gemini25('2025-06-17', 1.25, 10), ...routed('2026-12-01', GEMINI_FLASH_38)],
  'gemini-2.5-flash': [gemini25('2025-06-17', 0.3, 2.5), ...routed('2026-12-01', [GEMINI_FLASH_LITE_35])],
  'gemini-2.5-flash-lite': [gemini25('2025-07-22', 0.1, 0.4)],
  'gemini-3.1-flash-image': [
    gemini('2026-02-26', 0.5, 3, { picture: { '1K': 0.067, '2K': 0.101, '4K': 0.151 } }),
  ],
};

/** What another model costs, for one that is answered by it from a day on. */
function routed(day: string, prices: readonly UpstreamPrice[]): UpstreamPrice[] {
  return prices.map((price) => ({ ...price, from: price.from > day ? price.from : day }));
}

/** The price that holds at a time, before the first day the first one; null where none is known. */
export function priceAt(prices: readonly UpstreamPrice[], at: Date): UpstreamPrice | null {
  const day = dayOf(at);
  return prices.findLast(({ from }) => from <= day) ?? prices[0] ?? null;
}
