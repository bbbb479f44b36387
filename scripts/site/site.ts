import { type Brand, DEFAULT_BRAND } from '#contract/brand.ts';
import type { Catalogue } from '#contract/catalogue.ts';
import { extraPricesAt } from '#server/catalogue/extra-prices.ts';
import { MODELS } from '#server/catalogue/models.ts';
import { readCatalogue } from '#server/catalogue/read-catalogue.ts';
import { resolveChains } from '#server/catalogue/upstream-chains.ts';

/**
 * The shipped chains: which model reads how much of a conversation depends on their prices. They stand as if they had their key, so that
 * every model is listed: a page that is open takes away what its server does not offer (decision 131).
 */
const ROUTES = resolveChains({
  geminiBaseUrl: '',
  geminiApiKey: 'of the server',
  modelsFile: null,
  readVariable: () => undefined,
});

/** What is known when the pages are built. */
export interface Site {
  brand: Brand;
  catalogue: Catalogue;
  /** Numbers from the catalogue that any text may name. */
  facts: Record<string, number>;
}

/** Reads the brand from the settings in `env`, and the catalogue as a visitor sees it where everything is offered. */
export function readSite(env: Record<string, string | undefined>): Site {
  const brand = brandFrom(env);
  const catalogue = readCatalogue(MODELS, { tier: 'free', brand, chains: ROUTES, at: new Date() });
  return { brand, catalogue, facts: factsOf(catalogue) };
}

function factsOf({ models, plans, defaultModel }: Catalogue) {
  const { files, search, picture } = extraPricesAt(new Date());
  const costs = models.flatMap(({ cost, pictures }) => (cost === null || pictures ? [] : [cost]));
  return {
    freeCredits: plans.find(({ tier }) => tier === 'free')?.prices[0]?.credits ?? 0,
    lowestCost: Math.min(...costs),
    highestCost: Math.max(...costs),
    defaultCost: models.find(({ id }) => id === defaultModel)?.cost ?? 0,
    filesFree: files.free,
    filesStep: files.step,
    filesEach: files.each,
    searchEach: search.each,
    pictureLeast: Math.min(...Object.values(picture)),
    pictureMost: Math.max(...Object.values(picture)),
  };
}

function brandFrom(env: Record<string, string | undefined>): Brand {
  return {
    ...DEFAULT_BRAND,
    name: env.BRAND_NAME || DEFAULT_BRAND.name,
    nameZh: env.BRAND_NAME_ZH || DEFAULT_BRAND.nameZh,
    slug: env.BRAND_SLUG || DEFAULT_BRAND.slug,
    supportEmail: env.SUPPORT_EMAIL || DEFAULT_BRAND.supportEmail,
  };
}
