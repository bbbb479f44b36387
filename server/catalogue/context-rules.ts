import type { UpstreamRoutes } from './model-routes.ts';
import type { Model } from './models.ts';
import { PLANS } from './plans.ts';
import { type UpstreamPrice, upstreamPriceAt } from './upstream-prices.ts';

/** Tokens of an answer, thinking included, that a message's price must pay for beside the context it reads. */
export const USUAL_ANSWER_TOKENS = 2_000;
const STEP = 1_000;
const MILLION = 1_000_000;

/**
 * Tokens of a conversation that the model is given at most at a time: ours, fewer where a route of its chain takes fewer, and so
 * few that a message earns what it costs us: the whole context and a usual answer, at the list price of the dearest route, for
 * a user on the plan whose Credits are cheapest. Null while the model is coming soon.
 */
export function contextTokensOf(model: Model, routes: UpstreamRoutes, at: Date): number | null {
  if (model.contextTokens === null || model.cost === null) return null;
  const earned = model.cost * leastForCredit(model);
  const limits = (routes[model.id] ?? []).map((route) =>
    Math.min(
      route.contextTokens ?? Number.POSITIVE_INFINITY,
      payableContext(earned, upstreamPriceAt(route.model, at)),
    ),
  );
  return Math.min(model.contextTokens, ...limits);
}

/** US dollars that a Credit brings at least, of the plans that may use the model. */
function leastForCredit({ tiers }: Pick<Model, 'tiers'>): number {
  const prices = PLANS.filter((plan) => plan.key !== null && tiers.includes(plan.tier)).flatMap(
    (plan) => plan.prices,
  );
  return Math.min(...prices.map(({ totalCents, credits }) => totalCents / 100 / credits));
}

/** Whole thousands of tokens to read that `earned` US dollars pay for; without a known price there is no limit. */
function payableContext(earned: number, price: UpstreamPrice | null): number {
  if (!price) return Number.POSITIVE_INFINITY;
  const left = earned - (USUAL_ANSWER_TOKENS * price.output) / MILLION;
  return Math.max(STEP, Math.floor((left * MILLION) / price.input / STEP) * STEP);
}
