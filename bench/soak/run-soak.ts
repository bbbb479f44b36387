import { setTimeout as sleep } from 'node:timers/promises';
import type { Benchmark, BenchmarkResult } from '../benchmark.ts';
import { putFirst } from '../process-usage.ts';
import { table } from '../results.ts';
import { freePort, type Rig, startRig } from '../rig.ts';
import { checkSettled } from '../streams/check-settled.ts';
import { readExpectedText } from '../streams/expected-text.ts';
import { setWork } from '../streams/measure-load.ts';
import { type SeededUsers, seedUsers } from '../streams/seed-users.ts';
import { type Growth, judgedSecondsOf, judgeGrowth } from './judge-soak.ts';
import { askOn, buyOn, type Done, searchOn, uploadOn, visitOn } from './visitors.ts';
import { inspect, watchServer } from './watch-server.ts';

/** How long `npm run bench -- soak` takes unless it is said. */
const WHOLE_MINUTES = 60;
const WORK = { ttftMs: 50, tokens: 200, gapMs: 20 };
const ASKERS = 100;
const CREDITS = 1_000_000;
const VISITORS = 2;
const UPLOADERS = 2;
const SEARCHERS = 2;
const PAUSE_MS = 1_000;
const SAMPLES = 60;
/** Faults of a kind that are printed. */
const PRINTED = 5;
/** Pino's level of an error. */
const ERROR_LEVEL = 50;

/** Between two uploads of one user, each of which is read in a process of its own. */
const UPLOAD_PAUSE_MS = 3_000;

/** `soak`, as a benchmark; `parts`: how many minutes. Says in words what is wrong. */
export const runSoak: Benchmark = async ([minutes = WHOLE_MINUTES]) => {
  const { result, isSound } = await soak(Number(minutes));
  if (!isSound) process.exitCode = 1;
  return result;
};

/**
 * A server under a steady load for so many minutes: a hundred answers at once, people who sign up, out and in, purchases by webhook,
 * uploads with a question about each, searches. It is not sound when anything goes wrong, when the ledger does not add up, or when memory
 * or descriptors still grow after the first third.
 */
async function soak(minutes: number): Promise<{ result: BenchmarkResult; isSound: boolean }> {
  if (!(minutes >= 1)) throw new Error('a soak takes a number of minutes, one at least');
  const errors: string[] = [];
  const inspector = await freePort();
  const rig = await startRig({
    nodeFlags: [`--inspect=127.0.0.1:${inspector}`],
    emulate: ['creem', 'bagelpay'],
    env: { TRUST_PROXY: '1' },
    onLog: (line) => {
      if ((JSON.parse(line) as { level: number }).level >= ERROR_LEVEL) errors.push(line);
    },
  });
  try {
    await setWork(rig, WORK);
    const text = await readExpectedText(rig);
    const askers = await seedUsers(rig, ASKERS, CREDITS);
    const uploaders = await seedUsers(rig, UPLOADERS, CREDITS);
    const buyers = await seedUsers(rig, Math.ceil((minutes * 60_000) / PAUSE_MS));
    putFirst(rig.postgres.pid);
    const users = { askers, uploaders, buyers };
    const { growth, judgedSeconds, acts } = await live(rig, inspector, users, minutes);
    const settled = await checkSettled(rig, [...askers.ids, ...uploaders.ids], text);
    const faults = [
      ...Object.values(acts).flatMap((one) => shorten(one.faults)),
      ...settled.faults,
      ...shorten(errors),
      ...(await findUnread(rig)),
      ...Object.entries(acts).flatMap(([name, { count }]) => (count > 0 ? [] : [`no ${name} at all`])),
    ];
    const grown = growth.filter(({ growth: gained, limit }) => !(gained <= limit));
    const wrong = [...faults, ...grown.map(({ measure }) => `${measure} goes on growing`)];
    const figures = { minutes, answers: settled.good, acts, growth, judgedSeconds };
    const counted = {
      errors: errors.length,
      drifts: settled.faults.filter((one) => one.includes('drift')).length,
    };
    const body = [report({ ...figures, ...counted }), ...wrong.map((one) => `- ✗ ${one}`)].join('\n\n');
    return { result: { body, postgres: rig.postgres.version }, isSound: wrong.length === 0 };
  } finally {
    await rig.close();
  }
}

type Acts = Record<'batches of answers' | 'visits' | 'purchases' | 'uploads' | 'searches', Done>;
type Users = Record<'askers' | 'uploaders' | 'buyers', SeededUsers>;

/** Lets all of them loose, and watches the server meanwhile. */
async function live(rig: Rig, inspector: number, { askers, uploaders, buyers }: Users, minutes: number) {
  const inspected = await inspect(inspector);
  const until = performance.now() + minutes * 60_000;
  const [samples, answers, visits, uploads, searches, purchases] = await Promise.all([
    watchServer(
      { pid: rig.server.pid, inspected },
      { everyMs: Math.max(1_000, (minutes * 60_000) / SAMPLES), until },
    ),
    Promise.all(askers.cookies.map((cookie) => askOn(rig, cookie, until))),
    Promise.all(Array.from({ length: VISITORS }, () => visitOn(rig, until, PAUSE_MS))),
    Promise.all(uploaders.cookies.map((cookie) => uploadOn(rig, cookie, until, UPLOAD_PAUSE_MS))),
    Promise.all(askers.cookies.slice(0, SEARCHERS).map((cookie) => searchOn(rig, cookie, until, PAUSE_MS))),
    buyOn(rig, buyers.cookies, until, PAUSE_MS),
  ]);
  inspected.close();
  const acts: Acts = {
    'batches of answers': sum(answers),
    visits: sum(visits),
    purchases,
    uploads: sum(uploads),
    searches: sum(searches),
  };
  return { growth: judgeGrowth(samples), judgedSeconds: judgedSecondsOf(samples), acts };
}

function sum(all: Done[]): Done {
  return {
    count: all.reduce((total, { count }) => total + count, 0),
    faults: all.flatMap(({ faults }) => faults),
  };
}

/** What providers told that has not been read, or was given up, once the load has ended. */
async function findUnread({ postgres: { sql } }: Rig): Promise<string[]> {
  const count = async () => {
    const [row] = await sql<{ unread: number }[]>`
      select count(*)::int as unread from billing.inbox where status in ('new', 'failed')`;
    return row?.unread ?? 0;
  };
  for (let left = 300; left > 0 && (await count()) > 0; left -= 1) await sleep(100);
  const unread = await count();
  return unread > 0 ? [`${unread} webhooks are not read`] : [];
}

function shorten(faults: string[]): string[] {
  const more = faults.length - PRINTED;
  return [...faults.slice(0, PRINTED), ...(more > 0 ? [`and ${more} more`] : [])];
}

interface Report {
  minutes: number;
  answers: number;
  acts: Acts;
  growth: Growth[];
  judgedSeconds: number;
  errors: number;
  drifts: number;
}

function report({ minutes, answers, acts, growth, judgedSeconds, errors, drifts }: Report): string {
  const { visits, purchases, uploads, searches } = acts;
  const done = [
    ['answers, whole and paid once', answers],
    ['visits', visits.count],
    ['purchases', purchases.count],
    ['uploads, each with a question', uploads.count],
    ['searches', searches.count],
    ['errors that were logged', errors],
    ['kinds of drift in the ledger', drifts],
  ];
  const heads = ['after the first third', 'level', 'growth', 'limit', 'growth in an hour'];
  const rows = growth.map(({ measure, level, growth: gained, limit }) => [
    ...[measure, level, gained, limit],
    (gained * 3_600) / judgedSeconds,
  ]);
  const intro = `**${minutes} minutes**, ${ASKERS} answers at once of ${WORK.tokens} tokens at ${WORK.gapMs} ms`;
  return [intro, table(['what was done', 'how often'], done), table(heads, rows)].join('\n\n');
}

/** The program of `npm run test:long`: `SOAK_MINUTES`, ten by default; exit code 1 where it is not sound. */
if (import.meta.main) {
  const { result, isSound } = await soak(Number(process.env.SOAK_MINUTES ?? 10));
  console.log(result.body);
  process.exitCode = isSound ? 0 : 1;
}
