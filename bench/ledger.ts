import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { grantCredits } from '#server/credits/grant-credits.ts';
import { migrate } from '#server/db/migrate.ts';
import { type Database, openDatabase } from '#server/platform/database/database.ts';
import { newId } from '#server/platform/ids.ts';
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import { closeHold, takeHold } from '#test/credits/holds.ts';
import type { Benchmark } from './benchmark.ts';
import { percentile } from './percentile.ts';
import { cpuSeconds } from './process-usage.ts';
import { table } from './results.ts';

const CLIENTS = [1, 8, 32];
const USERS = 2_000;
const SECONDS = 5;
const CREDITS = 1_000_000;

interface Row {
  clients: number;
  users: number;
  pairs: number;
  pairsPerSecond: number;
  p50: number;
  p99: number;
  databaseCpuMs: number;
}

/** Holds taken and settled a second: spread over many users, then all of one user. */
export const runLedger: Benchmark = async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir });
  await migrate(postgres.url);
  const database = openDatabase(postgres.url, { poolSize: Math.max(...CLIENTS) });
  try {
    const users = await seedUsers(database);
    const rows: Row[] = [];
    for (const some of [users, users.slice(0, 1)]) {
      for (const clients of CLIENTS) rows.push(await measure(database, postgres.pid, some, clients));
    }
    const [row] = await database.sql<{ server_version: string }[]>`show server_version`;
    return { body: report(rows), postgres: `PostgreSQL ${row?.server_version.split(' ')[0]}` };
  } finally {
    await database.close();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
};

async function seedUsers({ sql }: Database): Promise<string[]> {
  const ids = Array.from({ length: USERS }, newId);
  await sql`
    insert into users (id, email, display_name)
    select id, id || '@bench.example', 'bench' from unnest(${ids}::uuid[]) as id`;
  const expiresAt = new Date(Date.now() + 86_400_000);
  for (const userId of ids) {
    const grant = {
      userId,
      kind: 'adjustment',
      sourceKey: 'bench',
      amount: CREDITS,
      reason: 'bench',
    } as const;
    await grantCredits(sql, { ...grant, expiresAt, at: null });
  }
  await sql`vacuum analyze`;
  return ids;
}

async function measure(database: Database, pid: number, users: string[], clients: number): Promise<Row> {
  const took: number[] = [];
  const cpu = cpuSeconds(pid);
  const started = performance.now();
  const until = started + SECONDS * 1000;
  const client = async (turn: number) => {
    for (let next = turn; performance.now() < until; next += clients) {
      const before = performance.now();
      await settleOne(database, users[next % users.length] ?? '');
      took.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, turn) => client(turn)));
  const seconds = (performance.now() - started) / 1000;
  const times = Float64Array.from(took);
  return {
    clients,
    users: users.length,
    pairs: took.length,
    pairsPerSecond: took.length / seconds,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    databaseCpuMs: ((cpuSeconds(pid) - cpu) * 1000) / took.length,
  };
}

/** Two transactions, as a message makes them: one when it is sent, one when its answer has ended. */
async function settleOne({ sql }: Database, userId: string): Promise<void> {
  const holdId = newId();
  const { result } = await takeHold(sql, { userId, holdId, cost: 15, model: 'parley-flash', at: null });
  if (result !== 'held') throw new Error(`the hold was ${result}`);
  await closeHold(sql, { userId, holdId, outcome: 'settled', reason: 'completed', at: null });
}

function report(rows: Row[]): string {
  const heads = ['users', 'clients', 'pairs / s', 'pair p50 ms', 'p99', 'PostgreSQL CPU ms / pair', 'pairs'];
  const cells = rows.map((row) => [
    row.users,
    row.clients,
    row.pairsPerSecond,
    row.p50,
    row.p99,
    row.databaseCpuMs,
    row.pairs,
  ]);
  return `**Hold and settle**, ${SECONDS} s each, durable\n\n${table(heads, cells)}`;
}
