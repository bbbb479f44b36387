import { setTimeout as sleep } from 'node:timers/promises';
import { putFirst } from '../process-usage.ts';
import { table } from '../results.ts';
import { freePort, type Rig, startRig } from '../rig.ts';
import { checkSettled } from '../streams/check-settled.ts';
import { readExpectedText } from '../streams/expected-text.ts';
import { setWork } from '../streams/measure-load.ts';
import { type SeededUsers, seedUsers } from '../streams/seed-users.ts';
import { type Growth, judgeGrowth } from './judge-soak.ts';
import { askOn, buyOn, type Done, visitOn } from './visitors.ts';
import { inspect, watchServer } from './watch-server.ts';

const MINUTES = Number(process.env.SOAK_MINUTES ?? 10);
const WORK = { ttftMs: 50, tokens: 50, gapMs: 20 };
const ASKERS = 40;
const CREDITS = 1_000_000;
const VISITORS = 2;
const PAUSE_MS = 1_000;
const SAMPLES = 60;
/** Faults of a kind that are printed. */
const PRINTED = 5;
/** Pino's level of an error. */
const ERROR_LEVEL = 50;

/**
 * A server under a steady load for `SOAK_MINUTES`: answers at once, people who sign up, out and in, purchases by webhook. Fails when anything
 * goes wrong, when the ledger does not add up, or when memory or descriptors still grow after the first third.
 */
async function soak(): Promise<boolean> {
  if (!(MINUTES >= 1)) throw new Error('SOAK_MINUTES is a number of minutes, one at least');
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
    const buyers = await seedUsers(rig, Math.ceil((MINUTES * 60_000) / PAUSE_MS));
    putFirst(rig.postgres.pid);
    const { growth, acts } = await live(rig, inspector, askers, buyers);
    const settled = await checkSettled(rig, askers.ids, text);
    const faults = [
      ...Object.values(acts).flatMap((one) => shorten(one.faults)),
      ...settled.faults,
      ...shorten(errors),
      ...(await findUnread(rig)),
      ...Object.entries(acts).flatMap(([name, { count }]) => (count > 0 ? [] : [`no ${name} at all`])),
    ];
    const grown = growth.filter(({ growth: gained, limit }) => !(gained <= limit));
    console.log(report(settled.good, acts, growth));
    for (const fault of faults) console.log(`✗ ${fault}`);
    for (const { measure } of grown) console.log(`✗ ${measure} goes on growing`);
    return faults.length === 0 && grown.length === 0;
  } finally {
    await rig.close();
  }
}

type Acts = Record<'batches of answers' | 'visits' | 'purchases', Done>;

/** Lets all of them loose, and watches the server meanwhile. */
async function live(rig: Rig, inspector: number, askers: SeededUsers, buyers: SeededUsers) {
  const inspected = await inspect(inspector);
  const until = performance.now() + MINUTES * 60_000;
  const [samples, answers, visits, purchases] = await Promise.all([
    watchServer(
      { pid: rig.server.pid, inspected },
      { everyMs: Math.max(1_000, (MINUTES * 60_000) / SAMPLES), until },
    ),
    Promise.all(askers.cookies.map((cookie) => askOn(rig, cookie, until))),
    Promise.all(Array.from({ length: VISITORS }, () => visitOn(rig, until, PAUSE_MS))),
    buyOn(rig, buyers.cookies, until, PAUSE_MS),
  ]);
  inspected.close();
  const acts: Acts = { 'batches of answers': sum(answers), visits: sum(visits), purchases };
  return { growth: judgeGrowth(samples), acts };
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

function report(answers: number, acts: Acts, growth: Growth[]): string {
  const { visits, purchases } = acts;
  const heads = ['after the first third', 'level', 'growth', 'limit'];
  const rows = growth.map(({ measure, level, growth: gained, limit }) => [measure, level, gained, limit]);
  return [
    `${MINUTES} minutes: ${answers} answers, ${visits.count} visits, ${purchases.count} purchases`,
    table(heads, rows),
  ].join('\n\n');
}

process.exitCode = (await soak()) ? 0 : 1;
