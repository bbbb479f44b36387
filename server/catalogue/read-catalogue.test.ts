import { expect, it } from 'vitest';
import { DEFAULT_BRAND } from '#contract/brand.ts';
import { catalogueSchema } from '#contract/catalogue.ts';
import { MODELS } from './models.ts';
import { readCatalogue } from './read-catalogue.ts';
import { modelsFileSchema, resolveChains } from './upstream-chains.ts';

const settings = {
  geminiApiKey: 'k',
  geminiBaseUrl: 'http://gemini',
  modelsFile: null,
  readVariable: () => undefined,
};
const chains = resolveChains(settings);
const AT = new Date('2026-11-23T12:00:00Z');

it.each(['free', 'basic', 'pro'] as const)('the catalogue of %s has the shape of the contract', (tier) => {
  const catalogue = readCatalogue(MODELS, { tier, brand: DEFAULT_BRAND, chains, at: AT });
  expect(catalogueSchema.parse(catalogue)).toEqual(catalogue);
  expect(catalogue.models.filter((model) => model.allowed).every((model) => model.tiers.includes(tier))).toBe(
    true,
  );
});

it('models stand in the order of the menu', () => {
  const { models } = readCatalogue(MODELS, { tier: 'pro', brand: DEFAULT_BRAND, chains, at: AT });
  expect(models.map(({ id }) => id)).toEqual(MODELS.map(({ id }) => id));
});

it('prices are dollars and whole cycles', () => {
  const basic = readCatalogue(MODELS, { tier: 'free', brand: DEFAULT_BRAND, chains, at: AT }).plans.find(
    (plan) => plan.tier === 'basic',
  );
  expect(basic?.prices).toEqual([
    { cycle: 'monthly', monthlyUSD: 6.9, totalUSD: 6.9, credits: 500 },
    { cycle: 'annual', monthlyUSD: 4.9, totalUSD: 58.8, credits: 6000 },
  ]);
});

it('our own models carry the brand of the operator', () => {
  const brand = { ...DEFAULT_BRAND, name: 'Acme', nameZh: '顶点' };
  const model = readCatalogue(MODELS, { tier: 'free', brand, chains, at: AT }).models.find(
    (one) => one.id === 'parley-flash',
  );
  expect(model?.title).toEqual({ zh: '顶点 Flash', en: 'Acme Flash' });
});

it('the context is as small as the smallest route of the chain', () => {
  const modelsFile = modelsFileSchema.parse({
    'parley-flash': [
      { dialect: 'gemini', model: 'a', contextTokens: 8000 },
      { dialect: 'gemini', model: 'b' },
    ],
  });
  const small = readCatalogue(MODELS, {
    tier: 'free',
    brand: DEFAULT_BRAND,
    chains: resolveChains({ ...settings, modelsFile }),
    at: AT,
  });
  expect(small.models.find((one) => one.id === 'parley-flash')?.contextTokens).toBe(8000);
  expect(small.models.find((one) => one.id === 'gemini-3.5-pro')?.contextTokens).toBeNull();
});

it('a model that cannot answer names the setting that it lacks', () => {
  const keyless = resolveChains({ ...settings, geminiApiKey: null });
  const lacking = (from: typeof chains) =>
    readCatalogue(MODELS, { tier: 'free', brand: DEFAULT_BRAND, chains: from, at: AT }).models.map(
      ({ missingSetting }) => missingSetting,
    );
  expect(new Set(lacking(chains))).toEqual(new Set([null]));
  expect(lacking(keyless)[0]).toBe('GEMINI_API_KEY');
  expect(lacking(keyless).at(-1)).toBeNull();
});
