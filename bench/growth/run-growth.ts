import type { Benchmark } from '../benchmark.ts';
import { against, table } from '../results.ts';
import { startRig } from '../rig.ts';
import { type Figures, measureBulk } from './measure-bulk.ts';
import { type Measured, measureOperations, OPERATIONS } from './measure-operations.ts';
import { scaleWorld, seedWorld, WORLDS, type WorldSize } from './seed-world.ts';

const MAX_MS = 60;

interface Result {
  size: WorldSize;
  operations: Map<string, Measured>;
  figures: Figures;
}

/**
 * The same operations in three worlds, and by how much they grow. `growth 0.1` makes the middle and the large world a tenth as
 * large; such a run is shown and not kept.
 */
export const runGrowth: Benchmark = async ([share = '1']) => {
  const results: Result[] = [];
  let postgres = '';
  const sizes = WORLDS.map((world) => (world.name === 'small' ? world : scaleWorld(world, Number(share))));
  for (const size of sizes) {
    const rig = await startRig();
    try {
      postgres = rig.postgres.version;
      const before = performance.now();
      const world = await seedWorld(rig, size);
      const seconds = Math.round((performance.now() - before) / 1000);
      console.log(`growth: ${size.messages} messages seeded in ${seconds} s`);
      const operations = await measureOperations(world);
      results.push({ size, operations, figures: await measureBulk(world) });
    } finally {
      await rig.close();
    }
  }
  return {
    body: [describeWorlds(results), tableOperations(results), tableFigures(results)].join('\n\n'),
    postgres,
  };
};

function describeWorlds(results: Result[]): string {
  const heads = ['world', 'messages', 'of the heavy user', 'in the longest conversation'];
  const rows = results.map(({ size }) => [size.name, size.messages, size.heavy, size.longest]);
  return `**Worlds**, the others with 100 messages each\n\n${table(heads, rows)}`;
}

function tableOperations(results: Result[]): string {
  const heads = [
    'ms',
    ...results.flatMap(({ size }) => [`${size.name} p50`, 'p95']),
    'large / small p50',
    'p95',
  ];
  const rows = Object.entries(OPERATIONS).map(([name, { growth }]) => {
    const measured = results.map(
      ({ operations }) => operations.get(name) ?? { p50: Number.NaN, p95: Number.NaN },
    );
    const [first, last] = [measured[0], measured.at(-1)];
    const cells = measured.flatMap(({ p50, p95 }, index) => [
      p50,
      index === measured.length - 1 ? most(name, p95) : p95,
    ]);
    const grown = (key: 'p50' | 'p95') => (last?.[key] ?? Number.NaN) / (first?.[key] ?? Number.NaN);
    return [name, ...cells, grown('p50'), against(grown('p95'), growth)];
  });
  return `**Operations**, statements prepared and generic\n\n${table(heads, rows)}`;
}

/** The first text waits for the emulated model besides. */
function most(name: string, p95: number): string | number {
  return name.startsWith('send') ? p95 : against(p95, MAX_MS);
}

function tableFigures(results: Result[]): string {
  const names = [...(results[0]?.figures.keys() ?? [])];
  const rows = names.map((name) => {
    const values = results.map(({ figures }) => figures.get(name) ?? Number.NaN);
    const last = values.at(-1) ?? Number.NaN;
    const budget = budgetOf(name, results);
    return [name, ...values.slice(0, -1), against(last, budget), last / (values[0] ?? Number.NaN)];
  });
  const heads = ['what', ...results.map(({ size }) => size.name), 'large / small'];
  return `**What is large by nature**, and what others feel of it\n\n${table(heads, rows)}`;
}

function budgetOf(name: string, results: Result[]): number | undefined {
  const of = (world: number, figure: string) => results.at(world)?.figures.get(figure) ?? Number.NaN;
  if (name === 'drift, regular check ms') return 100;
  if (name.startsWith('idle')) return Math.round(of(0, name) * 1.2);
  if (name.startsWith('bytes')) return 4_096;
  if (name.endsWith('memory MB more') && !name.startsWith('deletion')) return 30;
  if (name.startsWith('others’') && !name.endsWith('calm'))
    return Math.round(of(-1, 'others’ first text p95 ms, calm') * 1.2);
  return undefined;
}
