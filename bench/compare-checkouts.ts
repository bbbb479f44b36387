import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { percentile } from './percentile.ts';
import { commitOf, table } from './results.ts';
import { COMPARED, type Figure } from './streams/budgets.ts';
import type { Figures } from './streams/measure-rig.ts';
import { showRange } from './variants/compare-variants.ts';

export interface Checkout {
  name: string;
  root: string;
  /** Kept from round to round. */
  dataDir: string;
}

export interface Comparison {
  /** The other checkout; null where none is asked for. */
  other: string | null;
  rounds: number;
}

/** What the command line says of a comparison: `--against <checkout> --rounds <n>`, five rounds by default. */
export function readComparison(parts: string[]): Comparison {
  const flag = (name: string) => (parts.includes(name) ? (parts[parts.indexOf(name) + 1] ?? null) : null);
  return { other: flag('--against'), rounds: Number(flag('--rounds') ?? 5) };
}

/**
 * Measures this checkout and another one in turn, so many rounds: what the machine does meanwhile meets both. The load and the
 * provider are this checkout's. Figures are medians over the rounds, with the lowest and highest.
 */
export async function compareCheckouts(
  other: string,
  rounds: number,
  measure: (checkout: Checkout) => Promise<Partial<Figures>>,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-compare-'));
  const checkout = (name: string, root: string) => ({
    name,
    root: resolve(root),
    dataDir: join(folder, name),
    rounds: [] as Partial<Figures>[],
  });
  const checkouts = [checkout('this', '.'), checkout('other', other)];
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const one of round % 2 === 0 ? checkouts : checkouts.toReversed()) {
        one.rounds.push(await measure(one));
      }
    }
    return `Medians of ${rounds} rounds, in turn, with the lowest and highest\n\n${compareTable(checkouts)}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compareTable(checkouts: (Checkout & { rounds: Partial<Figures>[] })[]): string {
  const heads = [
    'figure',
    'goal',
    ...checkouts.map(({ name, root }) => `${name} (${commitOf(root)})`),
    'this / other',
  ];
  const measured = Object.entries(COMPARED).filter(([key]) => key in (checkouts[0]?.rounds[0] ?? {}));
  const rows = measured.map(([key, { name, goal }]) => {
    const columns = checkouts.map(({ rounds }) =>
      Float64Array.from(rounds, (figures) => figures[key as Figure] ?? Number.NaN).sort(),
    );
    const [ours = Number.NaN, theirs = Number.NaN] = columns.map((values) => percentile(values, 0.5));
    const shown = columns.map((values) => showRange(values));
    return [name, goal === null ? '' : `≤ ${goal}`, ...shown, (ours / theirs).toFixed(2)];
  });
  return table(heads, rows);
}
