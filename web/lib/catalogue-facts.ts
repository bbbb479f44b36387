import { catalogue } from 'virtual:site';

const costs = catalogue.models.flatMap(({ cost }) => (cost === null ? [] : [cost]));

/** Numbers that any text may name, computed from the catalogue. */
export const CATALOGUE_FACTS = {
  /** Credits a free user gets at sign-up and in every month. */
  freeCredits: catalogue.plans.find(({ tier }) => tier === 'free')?.prices[0]?.credits ?? 0,
  lowestCost: Math.min(...costs),
  highestCost: Math.max(...costs),
} as const;
