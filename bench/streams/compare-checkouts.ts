import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { BenchmarkResult } from '../benchmark.ts';
import { percentile } from '../percentile.ts';
import { table } from '../results.ts';
import { startRig } from '../rig.ts';
import { timeStart } from '../start.ts';
import { COMPARED, type Figure } from './budgets.ts';
import { type Figures, measureRig } from './measure-rig.ts';

interface Checkout {
  name: string;
  root: string;
  dataDir: string;
  rounds: Figures[];
}

/**
 * Measures this checkout and another one in turn, so many rounds, each time on a new database: what the machine does meanwhile
 * meets both. The load and the provider are this checkout's. Figures are medians over the rounds, with the lowest and highest.
 */
export async function compareCheckouts(other: string, rounds: number): Promise<BenchmarkResult> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-compare-'));
  const checkout = (name: string, root: string): Checkout => ({
    name,
    root: resolve(root),
    dataDir: join(folder, name),
    rounds: [],
  });
  const checkouts = [checkout('this', '.'), checkout('other', other)];
  let postgres = '';
  try {
    for (const { root, dataDir } of checkouts) await timeStart(dataDir, root);
    for (let round = 0; round < rounds; round += 1) {
      for (const one of round % 2 === 0 ? checkouts : checkouts.toReversed()) {
        const startSeconds = await timeStart(one.dataDir, one.root);
        const rig = await startRig({ emulate: ['creem', 'bagelpay'], root: one.root });
        try {
          postgres = rig.postgres.version;
          one.rounds.push({ startSeconds, ...(await measureRig(rig)) });
        } finally {
          await rig.close();
        }
      }
    }
    return { body: compareTable(checkouts), postgres };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compareTable(checkouts: Checkout[]): string {
  const heads = ['figure', 'goal', ...checkouts.map(({ name, root }) => `${name} (${root})`), 'this / other'];
  const rows = Object.entries(COMPARED).map(([key, { name, goal }]) => {
    const columns = checkouts.map(({ rounds }) =>
      Float64Array.from(rounds, (figures) => figures[key as Figure]).sort(),
    );
    const [ours = Number.NaN, theirs = Number.NaN] = columns.map((values) => percentile(values, 0.5));
    const shown = columns.map((values) => showRange(values));
    return [name, goal === null ? '' : `≤ ${goal}`, ...shown, (ours / theirs).toFixed(2)];
  });
  return table(heads, rows);
}

function showRange(values: Float64Array): string {
  const [low = Number.NaN, middle, high = Number.NaN] = [0, 0.5, 1].map((share) => percentile(values, share));
  return `${middle?.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}
