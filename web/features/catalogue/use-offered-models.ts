import { models } from 'virtual:models';
import type { CatalogueModel } from '#contract/catalogue.ts';
import { usePrices } from './use-prices.ts';

export type OfferedModel = CatalogueModel & { cost: number };

/** The models that have a price, in the order of the menu. */
export const PRICED: readonly OfferedModel[] = models.flatMap(({ cost, ...model }) =>
  cost === null ? [] : [{ ...model, cost }],
);

const IDS = models.map(({ id }) => id);

/** Ids of models in the order of the menu; behind them, as they were, those that are not in it. */
export function inMenuOrder(ids: readonly string[]): string[] {
  return [...IDS.filter((id) => ids.includes(id)), ...ids.filter((id) => !IDS.includes(id))];
}

/** The models that this server offers, in the order of the menu, with what its operator changed of their prices. */
export function useOfferedModels(): OfferedModel[] {
  const { priceOf, isOffered } = usePrices();
  return PRICED.filter(({ id }) => isOffered(id)).map((model) => {
    const price = priceOf(model.id);
    if (!price) return model;
    const { cost, laterCosts, contextTokens, readsImages, pictures } = price;
    return { ...model, cost: cost ?? model.cost, laterCosts, contextTokens, readsImages, pictures };
  });
}
