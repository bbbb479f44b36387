import type { MarginLine } from '#contract/admin/margin.ts';
import type { Deps } from '#server/deps.ts';
import { daysOf } from './margin/margin-rules.ts';
import { readMarginOfDays } from './margin/read-margin-of-days.ts';
import type { Section } from './present-sections.ts';

/**
 * The margin of some days, UTC, in US dollars: in all, by model, plan and feature. `from` and `to`: the first and the last day as
 * `YYYY-MM-DD`; null: thirty days, up to today.
 */
export async function listMargin(
  deps: Pick<Deps, 'database' | 'clock'>,
  from: string | null,
  to: string | null,
): Promise<Section[]> {
  const days = daysOf({ from, to }, deps.clock.now());
  const { total, byModel, byPlan, byFeature, otherCurrencies } = await readMarginOfDays(deps, days);
  return [
    { title: '合计 Total', rows: [rowOf({ ...total, name: '' })] },
    { title: '按模型 By model', rows: byModel.map(rowOf) },
    { title: '按套餐 By plan', rows: byPlan.map(rowOf) },
    { title: '按功能 By feature', rows: byFeature.map(rowOf) },
    ...(total.unknown > 0
      ? [
          `${total.unknown} 项成本未知，未计入；可用 PROVIDER_PRICES_FILE 补充价格。The cost of ${total.unknown} is not known and not counted; PROVIDER_PRICES_FILE can say prices.`,
        ]
      : []),
    ...(otherCurrencies.length > 0
      ? [`未计入的货币 Currencies that are not counted: ${otherCurrencies.join(', ')}`]
      : []),
  ];
}

function rowOf(line: MarginLine) {
  const { name, answers, credits, revenue, cost, margin, percent, estimated, unknown } = line;
  return {
    name,
    answers,
    credits,
    revenue: dollars(revenue),
    cost: dollars(cost),
    margin: dollars(margin),
    percent: percent === null ? null : `${percent.toFixed(1)}%`,
    estimated: dollars(estimated),
    unknown,
  };
}

/** Millionths of a US dollar, to the hundredth of a cent. */
function dollars(micro: number): string {
  return (micro / 1_000_000).toFixed(4);
}
