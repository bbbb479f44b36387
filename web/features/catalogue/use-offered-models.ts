import { models } from 'virtual:models';
import type { CatalogueModel } from '#contract/catalogue.ts';
import { usePrices } from './use-prices.ts';

export type OfferedModel = CatalogueModel & { cost: number };

const PRICED = models
  .flatMap(({ cost, ...model }) => (cost === null ? [] : [{ ...model, cost }]))
  .sort((one, other) => one.cost - other.cost);

/** The models that this server offers, the lowest price first, with what its operator changed of their prices. */
export function useOfferedModels(): OfferedModel[] {
  const { priceOf, isOffered } = usePrices();
  return PRICED.filter(({ id }) => isOffered(id)).map((model) => {
    const price = priceOf(model.id);
    if (!price) return model;
    const { cost, laterCosts, contextTokens, readsImages, pictures } = price;
    return { ...model, cost: cost ?? model.cost, laterCosts, contextTokens, readsImages, pictures };
  });
}
