import { microUsdOf } from '#server/catalogue/provider-cost-rules.ts';
import type { Deps } from '#server/deps.ts';
import type { Sums } from './margin-rules.ts';
import {
  type Grouping,
  type MarginSums,
  type Period,
  selectMargin,
  selectOtherCurrencies,
} from './margin-store.ts';

/** Each list of lines adds up to `total`, to within the rounding of each line. */
export interface Margin {
  total: Sums;
  byModel: Sums[];
  byPlan: Sums[];
  byFeature: Sums[];
  /** Currencies in which plans were sold and which are not in the revenue. */
  otherCurrencies: string[];
}

/** What was earned with the answers that ended in a period, what they cost at their providers, and what is left (decision 90). */
export async function readMargin(
  { database }: Pick<Deps, 'database'>,
  period: Period,
  { isPaid = false } = {},
): Promise<Margin> {
  const sums = await selectMargin(database.sql, period, isPaid);
  const linesOf = (grouping: Grouping) => sums.filter((sum) => sum.grouping === grouping).map(lineOf);
  const [total] = linesOf('all');
  if (!total) throw new Error('no sum of all');
  return {
    total,
    byModel: linesOf('model'),
    byPlan: linesOf('plan'),
    byFeature: linesOf('feature'),
    otherCurrencies: await selectOtherCurrencies(database.sql),
  };
}

function lineOf({ name, answers, credits, unknown, ...money }: MarginSums): Sums {
  const revenue = microUsdOf(BigInt(money.revenue));
  const cost = microUsdOf(BigInt(money.cost));
  const estimated = microUsdOf(BigInt(money.estimated));
  return { name, answers, credits, revenue, cost, margin: revenue - cost, estimated, unknown };
}
