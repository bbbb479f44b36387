import type { Effort } from '#contract/message/quotes.ts';
import { costAt, type Model } from './models.ts';
import { PLANS } from './plans.ts';
import type { UpstreamChains, UpstreamRoute } from './upstream-chains.ts';
import { priceAt, type UpstreamPrice } from './upstream-prices.ts';

/** Tokens of an answer, thinking included, that a message's price must pay for beside the context it reads. */
export const USUAL_ANSWER_TOKENS = 2_000;
/** The same at high effort. */
export const LONG_ANSWER_TOKENS = 4_000;
const ANSWER_TOKENS: Readonly<Record<Effort, number>> = {
  low: USUAL_ANSWER_TOKENS,
  medium: USUAL_ANSWER_TOKENS,
  high: LONG_ANSWER_TOKENS,
};
/** What a page that the provider opens adds to what the model reads: 5,500 of usual pages, 20 of them 111,000. */
export const WEB_PAGE_TOKENS = 5_500;
/** Addresses of a question that are opened at a time, where the model reads enough for them. */
const MAX_OPENED_ADDRESSES = 5;
const STEP = 1_000;
const MILLION = 1_000_000;

/**
 * Tokens of a conversation that the model is given at most at a time: ours, fewer where a route of its chain takes fewer, and so
 * few that a message earns what it costs us: the whole context and a usual answer, at the list price of the dearest route, for
 * a user on the plan whose Credits are cheapest. Thinking much costs the same and leaves fewer. Null while the model is coming soon.
 */
export function contextTokensOf(
  model: Model,
  chains: UpstreamChains,
  at: Date,
  effort?: Effort,
): number | null {
  const cost = costAt(model, at);
  if (model.contextTokens === null || cost === null) return null;
  const earned = earnedOf(model, cost);
  const answer = effort ? ANSWER_TOKENS[effort] : USUAL_ANSWER_TOKENS;
  const limits = (chains[model.id] ?? []).map((route) =>
    Math.min(
      route.contextTokens ?? Number.POSITIVE_INFINITY,
      payableContext(earned - pictureCostOf(route, at), answer, priceAt(route.prices, at)),
    ),
  );
  return Math.min(model.contextTokens, ...limits);
}

/** What the smallest picture costs us at a route, in US dollars; 0 where it makes none. The larger ones leave more. */
function pictureCostOf({ prices }: Pick<UpstreamRoute, 'prices'>, at: Date): number {
  return priceAt(prices, at)?.picture?.['1K'] ?? 0;
}

/** How many pages a question may have opened for it: at most half of what the model reads. */
export function payablePages(contextTokens: number): number {
  return Math.min(MAX_OPENED_ADDRESSES, Math.floor(contextTokens / 2 / WEB_PAGE_TOKENS));
}

/** US dollars that so many Credits bring at least, of the plans that may use the model. */
export function earnedOf({ tiers }: Pick<Model, 'tiers'>, credits: number): number {
  const prices = PLANS.filter((plan) => plan.key !== null && tiers.includes(plan.tier)).flatMap(
    (plan) => plan.prices,
  );
  return credits * Math.min(...prices.map((price) => price.totalCents / 100 / price.credits));
}

/** Whole thousands of tokens to read that `earned` US dollars pay for; without a known price there is no limit. */
function payableContext(
  earned: number,
  answer: number,
  price: Pick<UpstreamPrice, 'input' | 'output'> | null,
): number {
  if (!price) return Number.POSITIVE_INFINITY;
  const left = earned - (answer * price.output) / MILLION;
  return Math.max(STEP, Math.floor((left * MILLION) / price.input / STEP) * STEP);
}
