import { availableParallelism } from 'node:os';
import { costOf } from '#server/catalogue/rules.ts';
import type { Benchmark } from '../benchmark.ts';
import { percentile } from '../percentile.ts';
import { cpuSeconds, machineCpuSeconds, putFirst } from '../process-usage.ts';
import { type Rig, type RunningServer, startRig } from '../rig.ts';
import { callProgram } from '../start-program.ts';
import { MODEL } from '../streams/ask.ts';
import { checkSettled } from '../streams/check-settled.ts';
import { readExpectedText } from '../streams/expected-text.ts';
import { setWork, waitForQuiet } from '../streams/measure-load.ts';
import { firstOf } from '../streams/measure-rig.ts';
import type { Load, LoadResult } from '../streams/measured-answer.ts';
import { seedUsers } from '../streams/seed-users.ts';
import { compareVariants, type Figures } from './compare-variants.ts';

const MOST = 3;
const ROUNDS = 5;
const ANSWERS = 2_000;
const LANES = 60;
const WORK = { ttftMs: 20, tokens: 50, gapMs: 2 };

/**
 * How throughput grows with processes on one database: short answers as fast as they are answered, by one, two and three servers, in
 * turn, and who used the cores meanwhile. `parts`: rounds, answers of each measurement, and how many at once.
 */
export const runProcesses: Benchmark = async ([rounds = ROUNDS, answers = ANSWERS, lanes = LANES]) => {
  const rig = await startRig();
  try {
    const servers: RunningServer[] = [{ server: rig.server, url: rig.url }];
    while (servers.length < MOST) servers.push(await rig.addServer());
    await setWork(rig, WORK);
    const text = await readExpectedText(rig);
    const measure = (count: number) =>
      measureThroughput(rig, servers.slice(0, count), {
        answers: Number(answers),
        lanes: Number(lanes),
        text,
      });
    await measure(MOST);
    const variants = servers.map((_, index) => ({
      name: index === 0 ? '1 process' : `${index + 1} processes`,
      measure: () => measure(index + 1),
    }));
    const about = `${answers} answers of ${WORK.tokens} tokens at ${WORK.gapMs} ms, ${lanes} at once; PostgreSQL, the model and the client are on the same ${availableParallelism()} cores, so that shares near 100 % of them say what stops it.`;
    return {
      body: `${about}\n\n${await compareVariants(variants, Number(rounds))}`,
      postgres: rig.postgres.version,
    };
  } finally {
    await rig.close();
  }
};

interface Size {
  answers: number;
  lanes: number;
  text: string;
}

async function measureThroughput(
  rig: Rig,
  servers: readonly RunningServer[],
  { answers, lanes, text }: Size,
): Promise<Figures> {
  const users = await seedUsers(
    rig,
    lanes,
    Math.ceil(answers / lanes) * (costOf(MODEL.ours, new Date()) ?? 0),
  );
  const client = rig.client();
  const cookies = Array.from({ length: answers }, (_, index) => users.cookies[index % lanes] ?? '');
  const load: Load = {
    ...{ target: 'parley', url: rig.url, urls: servers.map(({ url }) => url) },
    ...{ cookies, spreadMs: null, lanes },
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
