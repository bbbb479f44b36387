import type { Brand } from '#contract/brand.ts';
import type { Bilingual, Catalogue, CatalogueModel, CataloguePlan, Tier } from '#contract/catalogue.ts';
import type { UpstreamRoutes } from './model-routes.ts';
import { DEFAULT_MODEL, MODELS, type Model } from './models.ts';
import { PLANS, type Plan, PROVIDERS } from './plans.ts';
import { isModelAllowed } from './rules.ts';

/** Everything that is offered, as somebody on `tier` sees it. */
export function readCatalogue(tier: Tier, brand: Brand, routes: UpstreamRoutes): Catalogue {
  return {
    defaultModel: DEFAULT_MODEL,
    models: MODELS.map((model) => presentModel(model, tier, brand, routes)),
    plans: PLANS.map(presentPlan),
    providers: [...PROVIDERS],
  };
}

/** Tokens of a conversation that the model is given at most: ours, or fewer where a route of its chain takes fewer. */
export function contextTokensOf(model: Model, routes: UpstreamRoutes): number | null {
  if (model.contextTokens === null) return null;
  const limits = (routes[model.id] ?? []).map((route) => route.contextTokens ?? Number.POSITIVE_INFINITY);
  return Math.min(model.contextTokens, ...limits);
}

function presentModel(model: Model, tier: Tier, brand: Brand, routes: UpstreamRoutes): CatalogueModel {
  return {
    id: model.id,
    title: withBrand(model.title, brand),
    description: model.description,
    cost: model.cost,
    contextTokens: contextTokensOf(model, routes),
    tiers: [...model.tiers],
    comingSoon: model.cost === null,
    computerUse: model.computerUse,
    allowed: isModelAllowed(tier, model.id),
  };
}

function withBrand(text: Bilingual, brand: Brand): Bilingual {
  return { zh: text.zh.replace('{brand}', brand.nameZh), en: text.en.replace('{brand}', brand.name) };
}

function presentPlan(plan: Plan): CataloguePlan {
  return {
    key: plan.key,
    tier: plan.tier,
    title: plan.title,
    description: plan.description,
    prices: plan.prices.map(({ cycle, monthlyCents, totalCents, credits }) => ({
      cycle,
      monthlyUSD: monthlyCents / 100,
      totalUSD: totalCents / 100,
      credits,
    })),
    includesComputerUse: plan.includesComputerUse,
    prioritySupport: plan.prioritySupport,
  };
}
