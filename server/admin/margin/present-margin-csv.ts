import type { MarginLine, MarginScreen } from '#contract/admin/margin.ts';
import { csvLine, UTF8_MARK } from '#contract/csv-line.ts';

const COLUMNS = [
  ...['group', 'name', 'answers', 'credits', 'revenue_usd', 'cost_usd', 'margin_usd', 'margin_percent'],
  ...['estimated_usd', 'unknown', 'below_cost'],
];

/** The margin of some days as CSV: the total, then each list. */
export function presentMarginCsv({ total, byModel, byPlan, byFeature }: MarginScreen): string {
  const groups: [group: string, lines: readonly MarginLine[]][] = [
    ['total', [total]],
    ['model', byModel],
    ['plan', byPlan],
    ['feature', byFeature],
  ];
  const lines = groups.flatMap(([group, each]) => each.map((line) => lineOf(group, line)));
  return UTF8_MARK + [csvLine(COLUMNS), ...lines].join('');
}

function lineOf(group: string, line: MarginLine): string {
  const { name, answers, credits, revenue, cost, margin, percent, estimated, unknown, isBelowCost } = line;
  const dollars = [revenue, cost, margin].map((micro) => micro / 1_000_000);
  return csvLine([
    ...[group, name, answers, credits, ...dollars, percent],
    ...[estimated / 1_000_000, unknown, isBelowCost ? 'yes' : 'no'],
  ]);
}
