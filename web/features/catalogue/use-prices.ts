import { facts } from 'virtual:site';
import { useQuery } from '@tanstack/react-query';
import type { CatalogueModel } from '#contract/catalogue.ts';
import { catalogueQuery } from './catalogue-query.ts';

type Price = Pick<CatalogueModel, 'cost' | 'laterCosts' | 'contextTokens' | 'readsImages' | 'pictures'>;

interface Prices {
  /** Undefined as long as the server has not said it. */
  priceOf(modelId: string): Price | undefined;
  /** False only where the server has said what it offers, and that model is not among it (decision 131). */
  isOffered(modelId: string): boolean;
  defaultCost: number;
}

/**
 * What messages cost, in Credits, and what is read for it: as the server says, since operators change prices; until it does, and where it cannot be reached, as
 * when the pages were built.
 */
export function usePrices(): Prices {
  const { data } = useQuery(catalogueQuery);
  const priceOf = (modelId: string) => data?.models.find(({ id }) => id === modelId);
  return {
    priceOf,
    isOffered: (modelId) => data === undefined || priceOf(modelId) !== undefined,
    defaultCost: (data && priceOf(data.defaultModel)?.cost) ?? facts.defaultCost,
  };
}
