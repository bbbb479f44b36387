import { availableParallelism } from 'node:os';
import { findModel } from '#server/catalogue/rules.ts';
import { percentile } from '../percentile.ts';
import { cpuSeconds, machineCpuSeconds, putFirst } from '../process-usage.ts';
import type { Rig, RunningServer } from '../rig.ts';
import { callProgram } from '../start-program.ts';
import { MODEL } from '../streams/ask.ts';
import { checkSettled } from '../streams/check-settled.ts';
import { waitForQuiet } from '../streams/measure-load.ts';
import { firstOf } from '../streams/measure-rig.ts';
import type { Load, LoadResult } from '../streams/measured-answer.ts';
import { seedUsers } from '../streams/seed-users.ts';
import type { Figures } from './compare-variants.ts';

interface Size {
  answers: number;
  lanes: number;
  text: string;
}

/** Answers as fast as they are answered, by these servers, and who used the cores meanwhile. */
export async function measureThroughput(
  rig: Rig,
  servers: readonly RunningServer[],
  { answers, lanes, text }: Size,
): Promise<Figures> {
  const users = await seedUsers(rig, lanes, Math.ceil(answers / lanes) * (findModel(MODEL.ours)?.cost ?? 0));
  const client = rig.client();
  const credentials = Array.from({ length: answers }, (_, index) => users.cookies[index % lanes] ?? '');
  const load: Load = {
    target: 'parley',
    url: rig.url,
    urls: servers.map(({ url }) => url),
    credentials,
    spreadMs: null,
    lanes,
  };
  putFirst(rig.postgres.pid);
  await waitForQuiet();
  const read = () => ({
    servers: servers.reduce((sum, { server }) => sum + cpuSeconds(server.pid), 0),
    database: cpuSeconds(rig.postgres.pid),
    others: cpuSeconds(client.pid) + cpuSeconds(rig.emulator.pid),
    machine: machineCpuSeconds(),
    seconds: performance.now() / 1_000,
  });
  const before = read();
  const result = await callProgram<LoadResult>(client, load);
  const after = read();
  const { good } = await checkSettled(rig, users.ids, text);
  const spent = (key: keyof typeof before) => after[key] - before[key];
  const share = (seconds: number) => (100 * seconds) / spent('seconds') / availableParallelism();
  const first = firstOf(result.answers);
  return {
    'answers / s': answers / spent('seconds'),
    'first text p50 ms': percentile(first, 0.5),
    'first text p99 ms': percentile(first, 0.99),
    'servers CPU ms / answer': (1_000 * spent('servers')) / answers,
    'PostgreSQL CPU ms / answer': (1_000 * spent('database')) / answers,
    'cores used by servers, %': share(spent('servers')),
    'by PostgreSQL, %': share(spent('database')),
    'by client and model, %': share(spent('others')),
    'by all of the machine, %': share(spent('machine')),
    'answers that were not complete and settled': answers - good,
  };
}
