import type { Executor } from '#server/platform/database/database.ts';

export interface PausedModel {
  model: string;
  pausedAt: Date;
}

/** The models that are paused now. */
export function selectPaused(sql: Executor): Promise<PausedModel[]> {
  return sql<PausedModel[]>`select model, paused_at as "pausedAt" from paused_models order by model`;
}

/** False: it was paused before. */
export async function insertPaused(tx: Executor, model: string, at: Date): Promise<boolean> {
  const { count } = await tx`
    insert into paused_models (model, paused_at) values (${model}, ${at}) on conflict do nothing`;
  return count > 0;
}

/** False: it was not paused. */
export async function deletePaused(tx: Executor, model: string): Promise<boolean> {
  return (await tx`delete from paused_models where model = ${model}`).count > 0;
}
