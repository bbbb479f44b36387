import type { ActEffect, PausePreview } from '#contract/admin/acts.ts';
import { DAY_MS } from '#contract/time.ts';
import { MODELS } from '#server/catalogue/models.ts';
import { listPaused } from '#server/catalogue/pause-model.ts';
import { withBrand } from '#server/catalogue/read-catalogue.ts';
import { findModel, isAskable, isOffered, missingSettingOf } from '#server/catalogue/rules.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { countUse } from './model-store.ts';

type PreviewDeps = Pick<Deps, 'config' | 'database' | 'clock'>;

/** What pausing a model would change now, and whom it concerns. Throws as `pauseModel`. */
export async function previewPause(
  deps: PreviewDeps,
  modelId: string,
): Promise<{ effects: ActEffect[]; pause: PausePreview }> {
  const paused = await requireState(deps, modelId, false);
  const since = new Date(deps.clock.now().getTime() - DAY_MS);
  const { brand, upstream } = deps.config;
  const usable = MODELS.filter(
    (other) =>
      other.id !== modelId &&
      !paused.has(other.id) &&
      isOffered(other, upstream.chains) &&
      missingSettingOf(other.id, upstream.chains) === null,
  );
  const others = (findModel(modelId)?.tiers ?? []).map((tier) => ({
    tier,
    models: usable.filter(({ tiers }) => tiers.includes(tier)).map(({ title }) => withBrand(title, brand)),
  }));
  const use = await countUse(deps.database.sql, modelId, since);
  return { effects: [{ what: 'model_state', before: 'on', after: 'paused' }], pause: { ...use, others } };
}

/** What resuming a model would change now. Throws as `resumeModel`. */
export async function previewResume(deps: PreviewDeps, modelId: string): Promise<ActEffect[]> {
  await requireState(deps, modelId, true);
  return [{ what: 'model_state', before: 'paused', after: 'on' }];
}

/** The ids of all paused models, when this one is as it has to be. */
async function requireState(deps: PreviewDeps, modelId: string, isPaused: boolean): Promise<Set<string>> {
  if (!isAskable(modelId)) throw new AppError('not_found');
  const paused = new Set((await listPaused(deps)).map(({ model }) => model));
  if (paused.has(modelId) !== isPaused) throw new AppError('conflict');
  return paused;
}
