import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { deletePaused, insertPaused, type PausedModel, selectPaused } from './paused-store.ts';
import { isAskable } from './rules.ts';

/** The topic of the bus that says to every process that a model was paused or resumed. */
export const MODELS_TOPIC = 'models';

type PauseDeps = Pick<Deps, 'database' | 'bus' | 'clock'>;
/** Notes the change in its transaction. */
type RecordChange = (tx: Executor) => Promise<unknown>;

/**
 * Has every process refuse new messages to a model, from the commit on: `send_message` and `send_api_message` read the same table.
 * Answers that run go on. Throws `not_found` for a model that cannot be asked, `conflict` for one that is paused already, and as
 * `record`.
 */
export function pauseModel(deps: PauseDeps, modelId: string, record: RecordChange): Promise<void> {
  return change(deps, modelId, record, (tx) => insertPaused(tx, modelId, deps.clock.now()));
}

/** Takes new messages to a paused model again. Throws as `pauseModel`, `conflict` for one that is not paused. */
export function resumeModel(deps: PauseDeps, modelId: string, record: RecordChange): Promise<void> {
  return change(deps, modelId, record, (tx) => deletePaused(tx, modelId));
}

/** The models that are paused now, by their ids. */
export function listPaused({ database }: Pick<Deps, 'database'>): Promise<PausedModel[]> {
  return selectPaused(database.sql);
}

async function change(
  { database, bus }: PauseDeps,
  modelId: string,
  record: RecordChange,
  apply: (tx: Executor) => Promise<boolean>,
): Promise<void> {
  if (!isAskable(modelId)) throw new AppError('not_found');
  await database.sql.begin(async (tx) => {
    await record(tx);
    if (!(await apply(tx))) throw new AppError('conflict');
  });
  bus.publish(MODELS_TOPIC, {});
}
