import { marked } from 'marked';
import type { Plugin } from 'vite';
import { type Brand, DEFAULT_BRAND } from '#contract/brand.ts';
import type { Catalogue } from '#contract/catalogue.ts';
import { readCatalogue } from '#server/catalogue/read-catalogue.ts';

/** Gives the pages what is known when they are built: brand, facts and catalogue; a `.md` file exports its HTML. */
export function sitePlugin(env: Record<string, string | undefined>): Plugin {
  const brand = brandFrom(env);
  const catalogue = readCatalogue('free', brand, {});
  const defaultModel = catalogue.models.find(({ id }) => id === catalogue.defaultModel);
  const modules: Record<string, string> = {
    'virtual:site': exportAll({ brand, facts: factsOf(catalogue), defaultModelTitle: defaultModel?.title }),
    'virtual:plans': exportAll({ plans: plansOf(catalogue) }),
    'virtual:models': exportAll({ models: catalogue.models }),
  };
  return {
    name: 'parley:site',
    resolveId: (id) => (id in modules ? `\0${id}` : undefined),
    load: (id) => modules[id.slice(1)],
    transform: {
      filter: { id: /\.md$/ },
      handler: async (text) => exportAll({ html: await marked(withBrand(text, brand)) }),
    },
  };
}

/** The plans with the names of their models: all that a card shows. */
function plansOf({ models, plans }: Catalogue) {
  return plans.map((plan) => ({
    ...plan,
    models: models.filter(({ tiers }) => tiers.includes(plan.tier)).map(({ title }) => title),
  }));
}

function factsOf({ models, plans, defaultModel }: Catalogue) {
  const costs = models.flatMap(({ cost }) => (cost === null ? [] : [cost]));
  return {
    freeCredits: plans.find(({ tier }) => tier === 'free')?.prices[0]?.credits ?? 0,
    lowestCost: Math.min(...costs),
    highestCost: Math.max(...costs),
    modelCount: costs.length,
    defaultCost: models.find(({ id }) => id === defaultModel)?.cost ?? 0,
  };
}

function exportAll(values: Record<string, unknown>): string {
  return Object.entries(values)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .join('\n');
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

function withBrand(text: string, brand: Brand): string {
  return text.replaceAll('{brand}', brand.name).replaceAll('{email}', brand.supportEmail);
}
