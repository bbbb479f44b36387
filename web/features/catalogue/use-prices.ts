import { facts } from 'virtual:site';
import { useQuery } from '@tanstack/react-query';
import type { CatalogueModel } from '#contract/catalogue.ts';
import { catalogueQuery } from './catalogue-query.ts';

type Price = Pick<CatalogueModel, 'cost' | 'laterCosts' | 'contextTokens'>;

/**
 * What messages cost, in Credits, and what is read for it: as the server says, since operators change prices; until it does, and where it cannot be reached, as
 * when the pages were built.
 */
export function usePrices(): { priceOf(modelId: string): Price | undefined; defaultCost: number } {
  const { data } = useQuery(catalogueQuery);
  const priceOf = (modelId: string) => data?.models.find(({ id }) => id === modelId);
  return { priceOf, defaultCost: (data && priceOf(data.defaultModel)?.cost) ?? facts.defaultCost };
}
