import type { Executor } from '#server/platform/database/database.ts';
import type { LaterCost } from './models.ts';

export interface ModelPrice extends LaterCost {
  model: string;
}

/** Every price that was set and not withdrawn, the first day of each model at the front. */
export function selectPrices(sql: Executor): Promise<ModelPrice[]> {
  return sql<ModelPrice[]>`
    select model, to_char(from_day, 'YYYY-MM-DD') as "from", cost from model_prices order by model, from_day`;
}

/** Nobody else changes prices until the transaction ends. Whoever waits for long gives up: connections are few. */
export async function lockPrices(tx: Executor): Promise<void> {
  await tx`set local lock_timeout = '3s'`;
  await tx`lock table model_prices in share row exclusive mode`;
}

/** False: the model has a price from this day on. */
export async function insertPrice(tx: Executor, { model, from, cost }: ModelPrice): Promise<boolean> {
  const { count } = await tx`
    insert into model_prices (model, from_day, cost) values (${model}, ${from}, ${cost}) on conflict do nothing`;
  return count > 0;
}

/** False: there was none. */
export async function deletePrice(tx: Executor, { model, from }: Omit<ModelPrice, 'cost'>): Promise<boolean> {
  return (await tx`delete from model_prices where model = ${model} and from_day = ${from}`).count > 0;
}
