import type { Brand } from '#contract/brand.ts';
import type { Bilingual, Catalogue, CatalogueModel, CataloguePlan, Tier } from '#contract/catalogue.ts';
import { PROVIDERS } from '#contract/choices.ts';
import { contextTokensOf } from './context-rules.ts';
import { extraPricesAt } from './extra-prices.ts';
import { costAt, DEFAULT_MODEL, laterCostsAt, type Model } from './models.ts';
import type { PausedModel } from './paused-store.ts';
import { PLANS, type Plan } from './plans.ts';
import { effortsOf, isModelAllowed, isOffered, missingSettingOf, readsImages, toolsOf } from './rules.ts';
import type { UpstreamChains } from './upstream-chains.ts';

/** Everything that is offered at a time, as a user on `tier` sees it. */
export function readCatalogue(
  models: readonly Model[],
  { tier, brand, chains, at }: { tier: Tier; brand: Brand; chains: UpstreamChains; at: Date },
): Catalogue {
  return {
    defaultModel: DEFAULT_MODEL,
    models: models
      .filter((model) => isOffered(model, chains))
      .map((model) => ({
        ...presentModel(model, tier, brand),
        cost: costAt(model, at),
        laterCosts: laterCostsAt(model, at).map((later) => ({
          ...later,
          contextTokens: contextTokensOf(model, chains, new Date(later.from)),
        })),
        contextTokens: contextTokensOf(model, chains, at),
        missingSetting: model.cost === null ? null : missingSettingOf(model.id, chains),
        readsImages: readsImages(model.id, chains),
        efforts: [...effortsOf(model.id, chains)],
        tools: toolsOf(model.id, chains),
        coveredSteps: model.computerUse ? extraPricesAt(at).computer.steps : null,
        pictures: model.pictures && {
          ratios: [...model.pictures.ratios],
          sizes: [...model.pictures.sizes],
          prices: { ...extraPricesAt(at).picture },
        },
      })),
    plans: PLANS.map(presentPlan),
    providers: [...PROVIDERS],
  };
}

/** The same with those models marked that are paused. */
export function markPaused(catalogue: Catalogue, paused: readonly PausedModel[]): Catalogue {
  const ids = new Set(paused.map(({ model }) => model));
  return { ...catalogue, models: catalogue.models.map((model) => ({ ...model, paused: ids.has(model.id) })) };
}

function presentModel(
  model: Model,
  tier: Tier,
  brand: Brand,
): Omit<
  CatalogueModel,
  | 'cost'
  | 'laterCosts'
  | 'contextTokens'
  | 'missingSetting'
  | 'readsImages'
  | 'efforts'
  | 'tools'
  | 'pictures'
  | 'coveredSteps'
> {
  return {
    id: model.id,
    title: withBrand(model.title, brand),
    description: model.description,
    tiers: [...model.tiers],
    comingSoon: model.cost === null,
    computerUse: model.computerUse,
    computer: model.computerUse ? 'words' : null,
    allowed: isModelAllowed(tier, model.id),
    paused: false,
  };
}

/** A title with the name of the product in it. */
export function withBrand(text: Bilingual, brand: Brand): Bilingual {
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
