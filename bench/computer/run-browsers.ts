import { setTimeout as sleep } from 'node:timers/promises';
import { insertSubscription } from '#test/factories.ts';
import type { Benchmark } from '../benchmark.ts';
import { percentile } from '../percentile.ts';
import { memoryBeneathMb } from '../process-usage.ts';
import { against, table } from '../results.ts';
import { type Rig, startRig } from '../rig.ts';
import { measureFirstTokens, OTHERS, SPREAD_MS, WORK } from '../streams/first-tokens.ts';
import { setWork } from '../streams/measure-load.ts';
import { seedHistory } from '../streams/seed-history.ts';
import { seedUsers } from '../streams/seed-users.ts';
import { awaitBrowser } from './await-browser.ts';
import { runMessage } from './run-message.ts';

const ROUNDS = 5;
const RUNS = 2;
const CREDITS = 100_000;
/** Issue 25: the others' first token comes at most a fifth later. */
const P99_RATIO = 1.2;
const GOAL = 'Open shop.test and put the prices in a table';

/**
 * What two browsers that models drive cost everybody else: the first token of other users' answers with and without them, in turn, and
 * the memory of the browsers. As soon as a run ends, the next begins.
 */
export const runBrowsers: Benchmark = async () => {
  const rig = await startRig({ env: { COMPUTER_USE: 'auto', COMPUTER_RUNS: String(RUNS) } });
  try {
    await seedHistory(rig);
    await setWork(rig, WORK);
    const { cookies } = await seedUsers(rig, OTHERS, CREDITS);
    const drivers = await seedUsers(rig, RUNS, CREDITS);
    for (const userId of drivers.ids) await insertSubscription(rig.postgres.sql, userId);
    await awaitBrowser(rig);
    await measureOthers(rig, cookies);
    const rows: (string | number)[][] = [];
    const all = { without: [] as number[], beside: [] as number[] };
    for (let round = 1; round <= ROUNDS; round += 1) {
      const without = await measureOthers(rig, cookies);
      const driving = startDriving(rig, drivers.cookies);
      await driving.begun;
      const beside = await measureOthers(rig, cookies);
      const { ended, memoryMb } = await driving.stop();
      all.without.push(...without);
      all.beside.push(...beside);
      rows.push([round, ...figures(without, beside), ended, memoryMb]);
    }
    rows.push(['all', ...figures(all.without, all.beside), '', '']);
    return { body: report(rows), postgres: rig.postgres.version };
  } finally {
    await rig.close();
  }
};

/** First tokens in ms, of answers to users who drive nothing. Throws where one is not complete. */
async function measureOthers(rig: Rig, cookies: string[]): Promise<number[]> {
  const { ms, faults } = await measureFirstTokens(rig, cookies);
  if (faults > 0) throw new Error(`${faults} answers were not complete`);
  return ms;
}

/** Keeps a run going for each of these users until `stop`, which tells how many ended well and the most memory that a look found. */
function startDriving(rig: Rig, cookies: string[]) {
  let isStopped = false;
  let ended = 0;
  let memoryMb = 0;
  const drive = async (cookie: string) => {
    while (!isStopped) {
      const { message, refused } = await runMessage({ url: rig.url, cookie, content: GOAL });
      if (message?.status !== 'completed') throw new Error(`a run ended as ${refused ?? message?.status}`);
      ended += 1;
    }
  };
  const driving = Promise.all(cookies.map(drive));
  const look = async () => {
    while (!isStopped) {
      memoryMb = Math.max(memoryMb, memoryBeneathMb(rig.server.pid, 'bwrap'));
      await sleep(500);
    }
  };
  const looking = look();
  const begin = async () => {
    while (memoryBeneathMb(rig.server.pid, 'bwrap') === 0) await Promise.race([sleep(100), driving]);
  };
  return {
    begun: begin(),
    async stop() {
      isStopped = true;
      await Promise.all([driving, looking]);
      return { ended, memoryMb };
    },
  };
}

function figures(without: readonly number[], beside: readonly number[]): (string | number)[] {
  const of = (values: readonly number[], share: number) => percentile(Float64Array.from(values), share);
  const p99 = [of(without, 0.99), of(beside, 0.99)] as const;
  return [of(without, 0.5), of(beside, 0.5), ...p99, against(p99[1] / p99[0], P99_RATIO)];
}

function report(rows: (string | number)[][]): string {
  const heads = ['round', 'p50 ms', 'beside', 'p99 ms', 'beside', 'p99 beside / without'];
  const intro = `**${RUNS} browsers that models drive, and ${OTHERS} others** who ask one after the other over ${SPREAD_MS / 1000} s, without the browsers and beside them in turn; the emulator’s ${WORK.ttftMs} ms are in their first token`;
  return [intro, table([...heads, 'runs ended', 'memory of both browsers, MB'], rows)].join('\n\n');
}
