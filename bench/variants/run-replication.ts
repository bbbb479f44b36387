import { startStandby } from '#test/database/standby.ts';
import type { Benchmark } from '../benchmark.ts';
import { putFirst } from '../process-usage.ts';
import { type Rig, startRig } from '../rig.ts';
import { seedHistory } from '../streams/seed-history.ts';
import { compareVariants } from './compare-variants.ts';
import { measureSends } from './measure-sends.ts';

const ROUNDS = 5;
const STREAMS = 200;

/**
 * What a synchronous standby costs: the same load with commits that wait for it, and with a standby that follows without being waited
 * for, in turn. Both are on this machine, without a network between them. `parts`: rounds, and how many answers at once.
 */
export const runReplication: Benchmark = async ([rounds = ROUNDS, streams = STREAMS]) => {
  const rig = await startRig();
  try {
    await seedHistory(rig);
    const standby = await startStandby(rig.postgres);
    try {
      const measure = (names: string) => async () => {
        await waitFor(rig, names);
        putFirst(standby.pid);
        return measureSends(rig, Number(streams));
      };
      await measure('')();
      const variants = [
        { name: 'asynchronous', measure: measure('') },
        { name: 'synchronous', measure: measure('*') },
      ];
      return { body: await compareVariants(variants, Number(rounds)), postgres: rig.postgres.version };
    } finally {
      await waitFor(rig, '');
      await standby.stop();
    }
  } finally {
    await rig.close();
  }
};

/** Says which standbys a commit waits for, and returns when it holds. */
async function waitFor({ postgres: { sql } }: Rig, names: string): Promise<void> {
  await sql.unsafe(`alter system set synchronous_standby_names = '${names}'`);
  await sql`select pg_reload_conf()`;
  const wanted = names === '' ? 'async' : 'sync';
  for (;;) {
    const [row] = await sql<{ state: string }[]>`select sync_state as state from pg_stat_replication`;
    if (row?.state === wanted) return;
  }
}
