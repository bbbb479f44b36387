import type { MarginScreen } from '#contract/admin/margin.ts';
import type { Deps } from '#server/deps.ts';
import { type Days, judgeLine, lossesFirst, periodOf } from './margin-rules.ts';
import { readMargin } from './read-margin.ts';

/**
 * The margin of some days in all, by model, plan and feature, what sold below cost first. `isPaid`: of users who had a plan, alone.
 */
export async function readMarginOfDays(
  deps: Pick<Deps, 'database'>,
  days: Days,
  { isPaid = false } = {},
): Promise<MarginScreen> {
  const margin = await readMargin(deps, periodOf(days), { isPaid });
  return {
    ...days,
    total: judgeLine('all', margin.total),
    byModel: lossesFirst(margin.byModel.map((sums) => judgeLine('model', sums))),
    byPlan: lossesFirst(margin.byPlan.map((sums) => judgeLine('plan', sums))),
    byFeature: lossesFirst(margin.byFeature.map((sums) => judgeLine('feature', sums))),
    otherCurrencies: margin.otherCurrencies,
  };
}
