import type { PictureSize } from '#contract/message/quotes.ts';
import type { UpstreamPrice } from './upstream-prices.ts';

/** What requests to one model of one provider consumed: whole numbers, of which parts are never more than their whole. */
export interface Consumption {
  /** All that the model read, cached or not. */
  inputTokens: number;
  /** Input tokens that the provider had cached. */
  cachedInputTokens: number;
  /** All that the model wrote, thinking included. */
  outputTokens: number;
  thinkingTokens: number;
  /** Output tokens of pictures: their price covers them. */
  pictureTokens: number;
  /** Executed queries of web searches. */
  searches: number;
  /** Requests that ran at least one. */
  searchedRequests: number;
  pictures: number;
  /** How large the pictures are. */
  pictureSize: PictureSize;
  /** Tokens are estimated: the provider did not report them. */
  isEstimate: boolean;
}

/** Requests of one kind: to which provider and model, at which of its prices, oldest first. */
export interface ProviderUse {
  /** Its host. */
  provider: string;
  model: string;
  prices: readonly UpstreamPrice[];
  consumed: Consumption;
}

/** Why a cost is not known: no price of the model, of its pictures, of its searches; or not what was consumed. */
export type UnknownCost = 'price' | 'picture_price' | 'search_price' | 'usage';

export interface ProviderCost {
  /** US dollars times 10^12, exact; null: not known. */
  picoUsd: bigint | null;
  /** Why it is not known; empty where it is. */
  unknown: UnknownCost[];
}

const MICRO = 1_000_000;
const PICO_OF_MICRO = 1_000_000n;

/**
 * What a provider takes for what was consumed, at a price; null: the price is not known. Nothing is rounded: a price has six decimals
 * of a dollar at most, for a million tokens or for one thing, so that each token and each thing is a whole number of pico-dollars.
 */
export function providerCost(consumed: Consumption, price: UpstreamPrice | null): ProviderCost {
  const { searches, searchedRequests, pictures, pictureSize } = consumed;
  if (consumed.inputTokens + consumed.outputTokens + searches + pictures === 0)
    return { picoUsd: 0n, unknown: [] };
  if (!price) return { picoUsd: null, unknown: ['price'] };
  const picture = price.picture?.[pictureSize];
  const isSearchKnown = (price.searchQuery ?? price.searchedRequest) !== undefined;
  const unknown: UnknownCost[] = [
    ...(pictures > 0 && picture === undefined ? ['picture_price' as const] : []),
    ...(searches > 0 && !isSearchKnown ? ['search_price' as const] : []),
  ];
  if (unknown.length > 0) return { picoUsd: null, unknown };
  const tokens =
    BigInt(consumed.inputTokens - consumed.cachedInputTokens) * microOf(price.input) +
    BigInt(consumed.cachedInputTokens) * microOf(price.cachedInput ?? price.input) +
    BigInt(consumed.outputTokens - consumed.pictureTokens) * microOf(price.output);
  const things =
    BigInt(pictures) * microOf(picture) +
    BigInt(searches) * microOf(price.searchQuery) +
    BigInt(searchedRequests) * microOf(price.searchedRequest);
  return { picoUsd: tokens + things * PICO_OF_MICRO, unknown: [] };
}

/** US dollars in millionths: of a price for a million tokens, the pico-dollars of one. */
function microOf(usd = 0): bigint {
  return BigInt(Math.round(usd * MICRO));
}

/** Pico-dollars as whole micro-dollars, half a one away from zero: the only place where money of this kind is rounded. */
export function microUsdOf(picoUsd: bigint): number {
  const half = picoUsd < 0n ? -PICO_OF_MICRO / 2n : PICO_OF_MICRO / 2n;
  return Number((picoUsd + half) / PICO_OF_MICRO);
}

/** Consumptions together, which are of the same model, provider and size of pictures. */
export function addConsumption(left: Consumption, right: Consumption): Consumption {
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    cachedInputTokens: left.cachedInputTokens + right.cachedInputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    thinkingTokens: left.thinkingTokens + right.thinkingTokens,
    pictureTokens: left.pictureTokens + right.pictureTokens,
    searches: left.searches + right.searches,
    searchedRequests: left.searchedRequests + right.searchedRequests,
    pictures: left.pictures + right.pictures,
    pictureSize: left.pictureSize,
    isEstimate: left.isEstimate || right.isEstimate,
  };
}
