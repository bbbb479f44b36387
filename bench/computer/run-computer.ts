import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { ensureChromium } from '#scripts/setup-chromium.ts';
import { insertSubscription } from '#test/factories.ts';
import type { Benchmark } from '../benchmark.ts';
import { table } from '../results.ts';
import { type Rig, startRig } from '../rig.ts';
import { seedUsers } from '../streams/seed-users.ts';
import { awaitBrowser } from './await-browser.ts';
import { startOracle } from './oracle.ts';
import { runTask, type TaskRun } from './run-task.ts';
import { PAGES_HOST, serveTaskPages } from './serve-pages.ts';
import { IMPOSSIBLE, TASKS } from './tasks/all-tasks.ts';

const SEEDS = 20;
const CREDITS = 100_000;
/** Users who send at once: each may have one browser, and the product runs two. */
const USERS = 2;

/**
 * MiniWoB++ through the whole product: each page with each seed is a message to the model that drives a browser, and the model is an
 * oracle that knows the right action. The pages are in `MINIWOB_DIR`. `parts`: names of pages, and `--seeds N` or `--seeds M-N`.
 */
export const runComputer: Benchmark = async (parts) => {
  const folder = resolve(process.env.MINIWOB_DIR ?? '../shared/miniwob/html');
  if (!existsSync(folder))
    throw new Error(`no pages in ${folder}; set MINIWOB_DIR to the html folder of MiniWoB++`);
  const { names, seeds } = readParts(parts);
  const pages = await serveTaskPages(folder);
  const oracle = await startOracle(pages.url, await ensureChromium());
  const rig = await startRig({
    env: {
      GEMINI_BASE_URL: oracle.url,
      COMPUTER_USE: 'auto',
      COMPUTER_TEST_HOSTS: `${PAGES_HOST}=${new URL(pages.url).host}`,
    },
  });
  try {
    const all = readdirSync(`${folder}/miniwob`).map((file) => file.replace('.html', ''));
    const chosen = all.filter((name) => names.length === 0 || names.includes(name)).sort();
    const { ids, cookies } = await seedUsers(rig, USERS, CREDITS);
    for (const userId of ids) await insertSubscription(rig.postgres.sql, userId);
    await awaitBrowser(rig);
    const tasks = chosen.filter((name) => TASKS[name]);
    const waiting = seeds.flatMap((seed) => tasks.map((task) => ({ task, seed })));
    const runs: TaskRun[] = [];
    const runNext = async (cookie: string) => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const run = await runTask({ url: rig.url, cookie, pages, ...next });
        const failure = oracle.failures.get(run.id);
        runs.push(failure ? { ...run, said: failure } : run);
        console.log(`${run.task} ${run.seed}: ${run.solved ? 'solved' : run.said}`);
      }
    };
    await Promise.all(cookies.map(runNext));
    return { body: await report(rig, runs, chosen), postgres: rig.postgres.version };
  } finally {
    await rig.close();
    await oracle.close();
    await pages.close();
  }
};

function readParts(parts: readonly string[]) {
  const at = parts.indexOf('--seeds');
  const names = parts.filter((_, index) => at < 0 || (index !== at && index !== at + 1));
  const range = (at < 0 ? null : parts[at + 1]) ?? `1-${SEEDS}`;
  const [last = SEEDS, first = 1] = range.split('-').map(Number).reverse();
  return { names, seeds: Array.from({ length: last - first + 1 }, (_, index) => first + index) };
}

async function report(rig: Rig, runs: readonly TaskRun[], chosen: readonly string[]): Promise<string> {
  const solved = runs.filter((run) => run.solved);
  const tasks = [...new Set(runs.map(({ task }) => task))];
  const rows = tasks.map((task) => {
    const own = runs.filter((run) => run.task === task);
    const failed = own.filter((run) => !run.solved).map(({ seed, said }) => `${seed}: ${said}`);
    const steps = own.reduce((sum, run) => sum + run.steps, 0) / own.length;
    const seconds = own.reduce((sum, run) => sum + run.seconds, 0) / own.length;
    return [task, `${own.length - failed.length} of ${own.length}`, steps, seconds, failed.join('; ')];
  });
  const cannot = chosen.filter((name) => IMPOSSIBLE[name]).map((name) => [name, IMPOSSIBLE[name] ?? '']);
  const [ledger] = await rig.postgres.sql<{ drifts: number; held: number }[]>`
    select (select count(*)::int from credit.bucket_drift) + (select count(*)::int from credit.hold_drift)
        + (select count(*)::int from credit.balance_drift) as drifts,
      (select count(*)::int from messages where status = 'running') as held`;
  return [
    `${solved.length} of ${runs.length} solved (${((100 * solved.length) / Math.max(1, runs.length)).toFixed(1)} %); ` +
      `ledger: ${ledger?.drifts} drifts, ${ledger?.held} messages left running.`,
    table(['page', 'solved', 'steps', 'seconds', 'not solved (seed: why)'], rows),
    cannot.length > 0
      ? `Cannot be done with the actions of the tool:\n\n${table(['page', 'why'], cannot)}`
      : '',
  ].join('\n\n');
}
