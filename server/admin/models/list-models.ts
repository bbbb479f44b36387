import type { ModelsScreen } from '#contract/admin/models.ts';
import { MODELS } from '#server/catalogue/models.ts';
import { withBrand } from '#server/catalogue/read-catalogue.ts';
import type { Deps } from '#server/deps.ts';
import { daysOf } from '../margin/margin-rules.ts';
import { readMarginOfDays } from '../margin/read-margin-of-days.ts';
import { presentChain } from './present-model.ts';

/** Every model that can be asked: its price, who may use it, which upstreams answer for it at what price, and its margin of 30 days. */
export async function listModels(deps: Pick<Deps, 'config' | 'database' | 'clock'>): Promise<ModelsScreen> {
  const { brand, upstream } = deps.config;
  const now = deps.clock.now();
  const { from, to, byModel } = await readMarginOfDays(deps, daysOf({}, now));
  return {
    ...{ from, to },
    models: MODELS.flatMap(({ id, title, cost, tiers, pictures }) => {
      if (cost === null) return [];
      return {
        ...{ id, cost, tiers: [...tiers] },
        title: withBrand(title, brand),
        makesPictures: pictures !== null,
        upstreams: presentChain(upstream.routes[id] ?? [], now),
        margin: byModel.find(({ name }) => name === id) ?? null,
      };
    }),
  };
}
