import { MINUTE_MS } from '#contract/time.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Database, Executor } from '#server/platform/database/database.ts';
import { MODELS, type Model } from './models.ts';
import { selectPrices } from './price-store.ts';

/** How old prices in memory may be. One that is set begins an hour later at least: no process takes an old one for it. */
const MAX_AGE_MS = MINUTE_MS;

/** The models of the menu with the prices that operators set, as this process read them last. */
export interface ModelList {
  /** The models in the order of the menu. */
  all(): readonly Model[];
  /** Undefined for a model that is not in the menu. */
  find(modelId: string): Model | undefined;
  /** Reads prices that are old again: whoever says or takes a price waits for it first. Throws as the database. */
  refresh(): Promise<void>;
  /** The next `refresh` reads them, however new they are. */
  forget(): void;
}

export function createModelList({ database, clock }: { database: Database; clock: Clock }): ModelList {
  let models: readonly Model[] = MODELS;
  let readAt: number | null = null;
  let version = 0;
  let reading: Promise<void> | null = null;

  async function read() {
    const now = clock.now().getTime();
    const readVersion = version;
    models = await readModels(database.sql);
    if (readVersion === version) readAt = now;
  }
  return {
    all: () => models,
    find: (modelId) => models.find(({ id }) => id === modelId),
    async refresh() {
      const isOld = readAt === null || Math.abs(clock.now().getTime() - readAt) > MAX_AGE_MS;
      if (!isOld) return;
      reading ??= read().finally(() => {
        reading = null;
      });
      await reading;
    },
    forget() {
      version += 1;
      readAt = null;
    },
  };
}

/** The models of the menu with their prices as the database has them now. */
export async function readModels(sql: Executor): Promise<Model[]> {
  const prices = await selectPrices(sql);
  return MODELS.map((model) => ({
    ...model,
    laterCosts: prices.flatMap(({ model: id, from, cost }) => (id === model.id ? [{ from, cost }] : [])),
  }));
}
