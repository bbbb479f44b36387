import type { Consumption } from '#server/catalogue/provider-cost-rules.ts';
import type { UpstreamPrice } from '#server/catalogue/upstream-prices.ts';

/** What a decimal numeral says, in units of its twelfth decimal: digits alone, no arithmetic of floating point. */
function picoOf(numeral: string): bigint {
  const [whole = '0', decimals = ''] = numeral.split('.');
  return BigInt(whole + decimals.padEnd(12, '0').slice(0, 12));
}

/** The cost of what was consumed, in pico-dollars, reckoned apart from the product: each kind of thing by the numeral of its price. */
export function reckonCost(consumed: Consumption, price: UpstreamPrice): bigint {
  const each = (value = 0) => picoOf(value.toFixed(6));
  const perToken = (value?: number) => each(value) / 1_000_000n;
  const lines: [number, bigint][] = [
    [consumed.inputTokens, perToken(price.input)],
    [-consumed.cachedInputTokens, perToken(price.input)],
    [consumed.cachedInputTokens, perToken(price.cachedInput ?? price.input)],
    [consumed.outputTokens, perToken(price.output)],
    [-consumed.pictureTokens, perToken(price.output)],
    [consumed.pictures, each(price.picture?.[consumed.pictureSize])],
    [consumed.searches, each(price.searchQuery)],
    [consumed.searchedRequests, each(price.searchedRequest)],
  ];
  return lines.reduce((sum, [many, one]) => sum + BigInt(many) * one, 0n);
}
