import type { ModelsScreen } from '#contract/admin/models.ts';
import { firstDay, PRICE_BOUNDS } from '#server/catalogue/change-price.ts';
import { costAt, laterCostsAt } from '#server/catalogue/models.ts';
import { listPaused } from '#server/catalogue/pause-model.ts';
import { withBrand } from '#server/catalogue/read-catalogue.ts';
import { readModels } from '#server/catalogue/read-models.ts';
import type { Deps } from '#server/deps.ts';
import { daysOf } from '../margin/margin-rules.ts';
import { readMarginOfDays } from '../margin/read-margin-of-days.ts';
import { selectModelChanges } from './model-store.ts';
import { presentChain } from './present-model.ts';

/** As many changes as are shown; the audit log has all. */
const CHANGES = 50;

/**
 * Every model that can be asked: its price now and on later days, who may use it, which upstreams answer for it at what price, its
 * margin of 30 days, and since when it is paused.
 */
export async function listModels(deps: Pick<Deps, 'config' | 'database' | 'clock'>): Promise<ModelsScreen> {
  const { brand, upstream } = deps.config;
  const now = deps.clock.now();
  const { from, to, byModel } = await readMarginOfDays(deps, daysOf({}, now));
  const paused = await listPaused(deps);
  const models = await readModels(deps.database.sql);
  const changes = await selectModelChanges(deps.database.sql, CHANGES);
  return {
    from,
    to,
    history: changes.map(({ at, ...line }) => ({ ...line, at: at.getTime() })),
    pricing: { ...PRICE_BOUNDS, first: firstDay(now) },
    models: models.flatMap((model) => {
      const { id, title, tiers, pictures } = model;
      const cost = costAt(model, now);
      if (cost === null) return [];
      return {
        id,
        cost,
        tiers: [...tiers],
        laterCosts: [...laterCostsAt(model, now)],
        title: withBrand(title, brand),
        makesPictures: pictures !== null,
        pausedAt: paused.find((one) => one.model === id)?.pausedAt.getTime() ?? null,
        upstreams: presentChain(upstream.chains[id] ?? [], now),
        margin: byModel.find(({ name }) => name === id) ?? null,
      };
    }),
  };
}
