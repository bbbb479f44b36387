import { setTimeout as sleep } from 'node:timers/promises';
import type { Benchmark } from './benchmark.ts';
import { compareCheckouts, readComparison } from './compare-checkouts.ts';
import { cpuSeconds } from './process-usage.ts';
import { table } from './results.ts';
import { type Rig, startRig } from './rig.ts';
import { COMPARED } from './streams/budgets.ts';

const SETTLE_MS = 5_000;
const IDLE_MS = 20_000;

interface Idle {
  idleCpuMs: number;
  idleDatabaseCpuMs: number;
}

/** What a server costs that nobody uses. `--against <checkout> --rounds <n>` compares this checkout with another one, in turn. */
export const runIdle: Benchmark = async (parts) => {
  const { other, rounds } = readComparison(parts);
  let postgres = '';
  const measure = async (root?: string): Promise<Idle> => {
    const rig = await startRig({ emulate: ['creem', 'bagelpay'], ...(root === undefined ? {} : { root }) });
    try {
      postgres = rig.postgres.version;
      return await measureIdle(rig);
    } finally {
      await rig.close();
    }
  };
  if (other !== null)
    return { body: await compareCheckouts(other, rounds, ({ root }) => measure(root)), postgres };
  const figures = await measure();
  const row = (key: keyof Idle) => [COMPARED[key].name, figures[key]];
  return { body: table(['figure', 'value'], [row('idleCpuMs'), row('idleDatabaseCpuMs')]), postgres };
};

/** CPU milliseconds a second of the server and of PostgreSQL while nobody asks for anything. */
export async function measureIdle(rig: Rig): Promise<Idle> {
  await sleep(SETTLE_MS);
  const read = () => [cpuSeconds(rig.server.pid), cpuSeconds(rig.postgres.pid)] as const;
  const [server, database] = read();
  await sleep(IDLE_MS);
  const after = read();
  const perSecond = (seconds: number) => (seconds * 1_000) / (IDLE_MS / 1_000);
  return { idleCpuMs: perSecond(after[0] - server), idleDatabaseCpuMs: perSecond(after[1] - database) };
}
