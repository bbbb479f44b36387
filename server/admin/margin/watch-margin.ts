import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import type { FoundAlert } from '#server/admin/alerts/alert-rules.ts';
import { upsertAlerts } from '#server/admin/alerts/alert-store.ts';
import type { Deps } from '#server/deps.ts';
import { takeRateLimit } from '#server/platform/database/rate-limit.ts';
import type { Jobs } from '#server/platform/jobs/jobs.ts';
import type { Sums } from './margin-rules.ts';
import { readMargin } from './read-margin.ts';

/** A loss below one US dollar in a day is no news: one long answer, one run that its user stopped. */
const MIN_LOSS = 1_000_000;
const MICRO = 1_000_000;
/** However many processes look, the log says it once an hour; a little less than that, so that a look in time finds it open. */
const PER_HOUR = { max: 1, windowSeconds: 3_500 };

/** A model, or what answers used together, that cost more than it earned. */
export interface Loss extends Sums {
  of: 'model' | 'feature';
}

export interface Finding {
  losses: Loss[];
  /** Answers, titles and follow-ups of anybody whose cost is not known. */
  unknown: number;
  /** Sums of all users. */
  byModel: readonly Sums[];
}

/**
 * What was sold below cost in the last day: models and features that cost a dollar more than they earned, with users who had a plan.
 * Free users earn nothing by design, and neither do titles and follow-ups, whose cost their answers' model bears.
 */
export async function findLosses(deps: Pick<Deps, 'database' | 'clock'>): Promise<Finding> {
  const to = deps.clock.now();
  const period = { from: new Date(to.getTime() - DAY_MS), to };
  const { byModel, byFeature } = await readMargin(deps, period, { isPaid: true });
  const all = await readMargin(deps, period);
  const losses = [
    ...byModel.map((line): Loss => ({ of: 'model', ...line })),
    ...byFeature.map((line): Loss => ({ of: 'feature', ...line })),
  ].filter(({ answers, margin }) => answers > 0 && margin <= -MIN_LOSS);
  return { losses, unknown: all.total.unknown, byModel: all.byModel };
}

/** Looks each hour for sales below cost and for costs that are not known: a line in the log each, and gauges. */
export function watchMargin(deps: Deps, jobs: Jobs): void {
  let latest: Finding = { losses: [], unknown: 0, byModel: [] };
  jobs.repeat('looking for sales below cost', HOUR_MS, async () => {
    latest = await reportLosses(deps);
  });
  deps.metrics.addGauge(
    'parley_sold_below_cost',
    'Models and features that cost more than they earned in the day before the last look.',
    () => latest.losses.length,
  );
  deps.metrics.addGauge(
    'parley_costs_unknown',
    'Answers of the day before the last look whose cost at their provider is not known.',
    () => latest.unknown,
  );
  const dollarsOf = (field: 'revenue' | 'cost') => async () =>
    new Map(latest.byModel.map((line) => [line.name ?? 'none', line[field] / MICRO]));
  deps.metrics.addGauges(
    'parley_revenue_dollars',
    'US dollars that the spent credits of the day before the last look were worth.',
    'model',
    dollarsOf('revenue'),
  );
  deps.metrics.addGauges(
    'parley_cost_dollars',
    'US dollars that answers of the day before the last look cost at their providers.',
    'model',
    dollarsOf('cost'),
  );
}

/** Looks once; logs what it finds, and alerts the operator of it, unless another process did in this hour. */
export async function reportLosses(deps: Pick<Deps, 'database' | 'clock' | 'log'>): Promise<Finding> {
  const { database, clock, log } = deps;
  const found = await findLosses(deps);
  if (found.losses.length === 0 && found.unknown === 0) return found;
  if ((await takeRateLimit(database.sql, 'losses', PER_HOUR, clock.databaseTime())) > 0) return found;
  for (const loss of found.losses) log.warn({ alert: 'sold_below_cost', ...loss }, 'sold below cost');
  if (found.unknown > 0) {
    const { unknown } = found;
    log.warn({ alert: 'cost_unknown', unknown }, 'a price is missing: PROVIDER_PRICES_FILE can say it');
  }
  await upsertAlerts(database.sql, presentFinding(found), clock.now());
  return found;
}

function presentFinding({ losses, unknown }: Finding): FoundAlert[] {
  const below = losses.map(({ of, name, margin }): FoundAlert => {
    const details = { of, usd: (-margin / MICRO).toFixed(2) };
    return { kind: 'sold_below_cost', subject: name ?? '', details };
  });
  return unknown === 0
    ? below
    : [...below, { kind: 'cost_unknown', subject: '', details: { count: unknown } }];
}
