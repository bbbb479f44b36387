import { setTimeout as sleep } from 'node:timers/promises';
import { verifyBooked, verifyLedger } from '#server/credits/verify-ledger.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import { cpuSeconds, memoryMb, peakMemoryMb, resetPeakMemory } from '../process-usage.ts';
import type { World } from './seed-world.ts';
import { sendMeanwhile } from './send-message.ts';

const IDLE_MS = 60_000;
const CALM_MS = 10_000;
const POLL_MS = 100;
const MAX_MS = 1_800_000;

/** Figures of one world, by what they are called. */
export type Figures = Map<string, number>;

/** What is large by nature, how it streams, and what others feel of it. The heavy user is gone afterwards. */
export async function measureBulk(world: World): Promise<Figures> {
  const figures: Figures = new Map();
  figures.set('bytes a message, light user', world.bytes.light);
  figures.set('bytes a message, heavy user', world.bytes.heavy);
  await measureDrift(world, figures);
  await measureIdle(world, figures);
  figures.set('others’ first text p95 ms, calm', await sendMeanwhile(world, async () => {}, CALM_MS));
  await measureLoad(world, figures, 'CSV', (mark) => readCsv(world, mark));
  await measureLoad(world, figures, 'ZIP', (mark) => makeZip(world, mark));
  await measureLoad(world, figures, 'deletion', () => deleteHeavy(world));
  return figures;
}

async function measureDrift(world: World, figures: Figures): Promise<void> {
  const database = openDatabase(world.rig.postgres.url, { poolSize: 1 });
  const log = { error: (found: object) => console.error(found) };
  const look = () => verifyBooked({ database, log: log as never }, 0);
  const isBehind = async () =>
    (await database.sql`select from credit.checking where checked_to < until or until = 0`).length > 0;
  do await look();
  while (await isBehind());
  await sendMeanwhile(world, async () => {}, CALM_MS);
  await look();
  figures.set('drift, regular check ms', (await secondsOf(look)) * 1000);
  let found = 0;
  const all = await secondsOf(async () => {
    for await (const drift of verifyLedger({ database })) found += drift ? 1 : 0;
  });
  figures.set('drift, complete check s', all);
  if (found > 0) throw new Error(`the ledger of the world has ${found} faults`);
  await database.close();
}

/** Rests first until what the measures before left to PostgreSQL is done: dirty pages and its own vacuum. */
async function measureIdle({ rig }: World, figures: Figures): Promise<void> {
  await rig.postgres.sql`vacuum analyze`.simple();
  await rig.postgres.sql`checkpoint`.simple();
  await sleep(IDLE_MS);
  const pids = [rig.server.child.pid ?? 0, rig.postgres.pid];
  const cpu = () => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  const before = cpu();
  await sleep(IDLE_MS);
  figures.set('idle, CPU ms a minute', (cpu() - before) * 1000);
}

/** How long something takes, until its first byte, its memory in the server, and what the others feel. */
async function measureLoad(
  world: World,
  figures: Figures,
  name: string,
  work: (mark: () => void) => Promise<void>,
): Promise<void> {
  const pid = world.rig.server.child.pid ?? 0;
  const before = memoryMb(pid);
  resetPeakMemory(pid);
  let firstMs = Number.NaN;
  let seconds = Number.NaN;
  const p95 = await sendMeanwhile(world, async () => {
    const started = performance.now();
    const mark = () => {
      if (Number.isNaN(firstMs)) firstMs = performance.now() - started;
    };
    seconds = await secondsOf(() => work(mark));
  });
  if (name !== 'deletion') figures.set(`${name}, first byte ms`, firstMs);
  figures.set(`${name}, s`, seconds);
  figures.set(`${name}, server memory MB more`, peakMemoryMb(pid) - before);
  figures.set(`others’ first text p95 ms, ${name}`, p95);
}

async function readCsv({ rig, heavy }: World, mark: () => void): Promise<void> {
  const response = await fetch(`${rig.url}/api/credits/entries.csv`, { headers: { cookie: heavy.cookie } });
  if (!response.ok || !response.body) throw new Error(`the CSV was answered ${response.status}`);
  for await (const _ of response.body) mark();
}

/** The first byte is the first piece that is kept. */
async function makeZip({ rig, heavy }: World, mark: () => void): Promise<void> {
  const { sql } = rig.postgres;
  await sql`update sessions set confirmed_at = now() where user_id = ${heavy.id}`;
  const headers = { cookie: heavy.cookie, origin: rig.url };
  const asked = await fetch(`${rig.url}/api/me/export`, { method: 'POST', headers });
  if (!asked.ok) throw new Error(`the export was answered ${asked.status}`);
  await waitFor(async () => {
    const [row] = await sql<{ state: string; begun: boolean }[]>`
      select state, exists (select from export_chunks c where c.export_id = e.id) as begun from exports e
       where user_id = ${heavy.id}`;
    if (row?.begun) mark();
    if (row?.state === 'failed') throw new Error('the export failed');
    return row?.state === 'ready';
  });
}

async function deleteHeavy({ rig, heavy }: World): Promise<void> {
  const { sql } = rig.postgres;
  const [row] = await sql<{ email: string }[]>`
    update sessions s set confirmed_at = now() from users u where u.id = s.user_id and u.id = ${heavy.id} returning u.email`;
  const asked = await fetch(`${rig.url}/api/me/delete`, {
    method: 'POST',
    headers: { cookie: heavy.cookie, origin: rig.url, 'content-type': 'application/json' },
    body: JSON.stringify({ email: row?.email }),
  });
  if (!asked.ok) throw new Error(`the deletion was answered ${asked.status} ${await asked.text()}`);
  await waitFor(
    async () => (await sql`select from users where id = ${heavy.id} and deleted_at is not null`).length > 0,
  );
}

async function waitFor(isDone: () => Promise<boolean>): Promise<void> {
  const until = performance.now() + MAX_MS;
  while (!(await isDone())) {
    if (performance.now() > until) throw new Error('it takes too long');
    await sleep(POLL_MS);
  }
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return (performance.now() - before) / 1000;
}
