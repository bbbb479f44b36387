import { availableParallelism } from 'node:os';
import type { Benchmark } from '../benchmark.ts';
import { type RunningServer, startRig } from '../rig.ts';
import { readExpectedText } from '../streams/expected-text.ts';
import { setWork } from '../streams/measure-load.ts';
import { seedHistory } from '../streams/seed-history.ts';
import { compareVariants } from './compare-variants.ts';
import { measureThroughput } from './measure-throughput.ts';

const MAX_SERVERS = 3;
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
    while (servers.length < MAX_SERVERS) servers.push(await rig.addServer());
    await seedHistory(rig);
    await setWork(rig, WORK);
    const text = await readExpectedText(rig);
    const measure = (count: number) =>
      measureThroughput(rig, servers.slice(0, count), {
        answers: Number(answers),
        lanes: Number(lanes),
        text,
      });
    await measure(MAX_SERVERS);
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
