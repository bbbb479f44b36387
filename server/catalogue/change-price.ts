import { DAY_MS, dayOf, HOUR_MS } from '#contract/time.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { costAt, MODELS, type Model } from './models.ts';
import { deletePrice, insertPrice, lockPrices } from './price-store.ts';
import { readModels } from './read-models.ts';

/** Programs read at `/v1/models` what they will pay, and how much is read for it. */
const NOTICE_MS = 7 * DAY_MS;
/** What was announced may be taken back later where it was dearer. Longer than any process keeps prices in memory. */
const WITHDRAWAL_NOTICE_MS = HOUR_MS;

const COSTS = MODELS.flatMap(({ cost }) => (cost === null ? [] : [cost]));
/** What a message may cost, in Credits: public pages say from how much to how much, and are built once. */
export const PRICE_BOUNDS = { least: Math.min(...COSTS), most: Math.max(...COSTS) };

export interface PriceChange {
  model: string;
  /** The first day, UTC: `YYYY-MM-DD`. */
  from: string;
  /** Credits a message; null takes back the price that was set from that day on. */
  cost: number | null;
}

/** What a change of a price would do. */
export interface PlannedPrice {
  model: Model;
  /** Credits a message today, and on the first day without and with the change. */
  today: number;
  before: number;
  after: number;
}

/** The first day, UTC, from which a price may be set now. */
export function firstDay(now: Date, notice = NOTICE_MS): string {
  return dayOf(now.getTime() + notice + DAY_MS);
}

/**
 * Sets what a message to a model costs from a day on, or takes it back: every process quotes it by then, and what was quoted before
 * stays. `record` notes it in its transaction. Throws as `planPrice` and as `record`.
 */
export async function changePrice(
  { database, clock, models: known }: Pick<Deps, 'database' | 'clock' | 'models'>,
  change: PriceChange,
  record: (tx: Executor, planned: PlannedPrice) => Promise<unknown>,
): Promise<void> {
  await database.sql.begin(async (tx) => {
    await lockPrices(tx);
    await record(tx, planPrice(await readModels(tx), change, clock.now()));
    const { model, from, cost } = change;
    if (cost === null) await deletePrice(tx, { model, from });
    else await insertPrice(tx, { model, from, cost });
  });
  known.forget();
}

/**
 * What the change would do. `models`: with all prices that were set. Throws `not_found` for a model without a price of its own,
 * `invalid_request` for a price out of bounds, `conflict` where the model has a price from that day on, or none that could be taken
 * back, or costs as much already, and `price_too_soon`.
 */
export function planPrice(
  models: readonly Model[],
  { model: id, from, cost }: PriceChange,
  now: Date,
): PlannedPrice {
  const model = models.find((each) => each.id === id);
  const day = new Date(from);
  const today = model ? costAt(model, now) : null;
  const before = model ? costAt(model, day) : null;
  if (!model || model.pictures !== null || today === null || before === null) throw new AppError('not_found');
  if (cost !== null && (cost < PRICE_BOUNDS.least || cost > PRICE_BOUNDS.most))
    throw new AppError('invalid_request', { field: 'act.cost' });
  const others = (model.laterCosts ?? []).filter((each) => each.from !== from);
  const isSet = others.length < (model.laterCosts ?? []).length;
  if (isSet !== (cost === null) || cost === before) throw new AppError('conflict');
  const after = cost ?? costAt({ ...model, laterCosts: others }, day) ?? before;
  const first = firstDay(now, cost === null && after < before ? WITHDRAWAL_NOTICE_MS : NOTICE_MS);
  if (from < first) throw new AppError('price_too_soon', { from: first });
  return { model, today, before, after };
}
