import type { Benchmark, BenchmarkResult } from '../benchmark.ts';
import { type Checkout, compareCheckouts, readComparison } from '../compare-checkouts.ts';
import { startRig } from '../rig.ts';
import { timeLaterStart } from '../start.ts';
import { concurrentTable, measureConcurrent } from './concurrent.ts';
import { measureRig } from './measure-rig.ts';
import { seedHistory } from './seed-history.ts';
import { measureSequential, sequentialTable } from './sequential.ts';

const SIZES = [50, 200, 500, 1000];

/**
 * Streaming answers, one after another on one connection, then many at once. `parts` narrows it to
 * `sequential` or some of the sizes; `--profile` writes a CPU profile of the server into `.cache/profile/`.
 * `--against <checkout> --rounds <n>` compares this checkout with another one instead, in turn.
 */
export const runStreams: Benchmark = async (parts) => {
  const { other, rounds } = readComparison(parts);
  if (other !== null) return compareAll(other, rounds);
  const profile = parts.includes('--profile');
  const chosen = parts.filter((part) => part !== '--profile');
  const wants = (part: string) => chosen.length === 0 || chosen.includes(part);
  const flags = profile ? ['--cpu-prof', '--cpu-prof-dir=.cache/profile'] : [];
  const rig = await startRig({ nodeFlags: flags });
  try {
    await seedHistory(rig);
    const body: string[] = [];
    if (wants('sequential')) body.push(sequentialTable(await measureSequential(rig)));
    const sizes = SIZES.filter((size) => wants(String(size)));
    if (sizes.length > 0) body.push(concurrentTable(await measureConcurrent(rig, sizes)));
    return { body: body.join('\n\n'), postgres: rig.postgres.version };
  } finally {
    await rig.close();
  }
};

/** All figures of this checkout and another one, each round on a new database. */
async function compareAll(other: string, rounds: number): Promise<BenchmarkResult> {
  let postgres = '';
  const measure = async ({ root, dataDir }: Checkout) => {
    const startSeconds = await timeLaterStart(dataDir, root);
    const rig = await startRig({ emulate: ['creem', 'bagelpay'], root });
    try {
      postgres = rig.postgres.version;
      return { startSeconds, ...(await measureRig(rig)) };
    } finally {
      await rig.close();
    }
  };
  return { body: await compareCheckouts(other, rounds, measure), postgres };
}
