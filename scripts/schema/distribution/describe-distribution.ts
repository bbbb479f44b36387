import { describeReach, type Plan, type PlannedTable, shortName } from './plan-distribution.ts';

const HEADING = '\n## Every table\n';

/** The last part of docs/scaling.md, from its heading on. */
export function describeDistribution({ tables, routines }: Plan): string {
  const of = (place: PlannedTable['place'], isReady: boolean) =>
    tables.filter((table) => table.place === place && (table.needs.length === 0) === isReady);
  const names = (list: PlannedTable[]) => list.map(({ name }) => `\`${shortName(name)}\``).join(', ');
  const chosen = (list: PlannedTable[]) =>
    list.map(({ name, why }) => `\`${shortName(name)}\` (${why})`).join('; ');
  const others = tables.filter(({ needs }) => needs.length > 0);
  const ready = of('distributed', true);
  const [byUser, beyond] = [true, false].map((isByUser) =>
    routines.filter((one) => (one.hasUser && one.reaches.length === 0) === isByUser),
  );
  return [
    HEADING,
    'Written by `npm run schema` from the catalogue of a migrated database, and compared with one in the tests.\n',
    `**Distributed as they stand** (${ready.length} of ${tables.length}), once the tables that they lead to are: ${names(ready)}.\n`,
    `**Reference tables**: ${chosen(of('reference', true))}.\n`,
    `**On the coordinator**: ${chosen(of('local', true))}.\n`,
    `**Numbered by a sequence**, of which Citus gives each node a range: ${names(tables.filter(({ place, isNumbered }) => isNumbered && place === 'distributed'))}.\n`,
    `**With a change** (${others.length}):\n`,
    ...rows(
      ['table', 'needs'],
      others.map(({ name, needs }) => [`\`${shortName(name)}\``, needs.join('; ')]),
    ),
    `\n**Functions that stay with one user** (${byUser?.length ?? 0} of ${routines.length}), so that a call can be sent to its node: ${listRoutines(byUser ?? [])}.\n`,
    `**Functions that do not** (${beyond?.length ?? 0}):\n`,
    ...rows(
      ['function', 'reaches'],
      (beyond ?? []).map((one) => [
        `\`${shortName(one.name)}\``,
        [one.hasUser ? '' : 'has no `p_user`', describeReach(one.reaches)].filter(Boolean).join('; '),
      ]),
    ),
    '',
  ].join('\n');
}

function listRoutines(routines: Plan['routines']): string {
  return [...new Set(routines.map(({ name }) => `\`${shortName(name)}\``))].join(', ');
}

/** A table in Markdown, as wide as its widest cells, each row once. */
function rows(heads: string[], all: string[][]): string[] {
  const lines = [...new Map([heads, ...all].map((cells) => [cells.join('|'), cells])).values()];
  const widths = heads.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(lines[0] ?? []), line(widths.map((width) => '-'.repeat(width))), ...lines.slice(1).map(line)];
}

/** `text` of docs/scaling.md with `part` in the place of its last part. */
export function replaceDistribution(text: string, part: string): string {
  return `${text.split(HEADING)[0]}${part}`;
}

/** The last part of `text`, docs/scaling.md. */
export function distributionIn(text: string): string {
  return text.slice(text.indexOf(HEADING));
}
