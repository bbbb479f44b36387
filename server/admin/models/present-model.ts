import type { ShownUpstream, ShownUpstreamPrice } from '#contract/admin/models.ts';
import { pictureSizeSchema } from '#contract/message/quotes.ts';
import { UNDATED, type UpstreamRoute } from '#server/catalogue/upstream-chains.ts';
import { priceAt, type UpstreamPrice } from '#server/catalogue/upstream-prices.ts';

/** The upstreams of a chain with what they charge, without their keys. `at`: the day whose price is marked. */
export function presentChain(chain: readonly UpstreamRoute[], at: Date): ShownUpstream[] {
  return chain.map(({ baseUrl, model, fallback, missingSetting, prices }, place) => {
    const current = priceAt(prices, at);
    return {
      provider: new URL(baseUrl).host,
      role: place === 0 ? 'first' : fallback ? 'fallback' : 'successor',
      model,
      missingSetting,
      prices: prices.map((price) => presentPrice(price, price === current)),
    };
  });
}

function presentPrice(price: UpstreamPrice, isCurrent: boolean): ShownUpstreamPrice {
  const { from, input, cachedInput = null, output, searchQuery = null, searchedRequest = null } = price;
  return {
    from: from === UNDATED ? null : from,
    isCurrent,
    input,
    cachedInput,
    output,
    searchQuery,
    searchedRequest,
    pictures: pictureSizeSchema.options.flatMap((size) => {
      const dollars = price.picture?.[size];
      return dollars === undefined ? [] : [{ size, price: dollars }];
    }),
  };
}
