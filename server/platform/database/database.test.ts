import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { connectPostgres, Uncommitted } from './database.ts';
import { isConnectionLost } from './database-errors.ts';

let home: TestDatabase;
beforeAll(async () => {
  home = await createTestDatabase({ directUrl: null });
  await home.database.sql`create table note (text text)`;
});
afterAll(() => home.drop());

/** Commits without waiting for the disk; says up to where the log of PostgreSQL must be there. */
async function commit(): Promise<Uncommitted<string>> {
  const { sql } = home.database;
  await sql`insert into note select 'x' from set_config('synchronous_commit', 'off', true)`;
  const [row] = await sql<{ place: string }[]>`select pg_current_wal_insert_lsn()::text as place`;
  return new Uncommitted(row?.place ?? '');
}

async function isOnDisk(place: string): Promise<boolean> {
  const [row] = await home.database.sql<{ done: boolean }[]>`
    select pg_current_wal_flush_lsn() >= ${place}::pg_lsn as done`;
  return row?.done ?? false;
}

it('whatever was committed before a flush is on disk after it, however many flush at once', async () => {
  const rounds = Array.from({ length: 100 }, async () => {
    const place = await commit();
    return isOnDisk(await home.database.flush(place));
  });
  expect(await Promise.all(rounds)).toEqual(Array(100).fill(true));
});

it('a commit that nobody flushed is not on disk at once', async () => {
  const places: Promise<boolean>[] = [];
  for (let n = 0; n < 20; n += 1) {
    (await commit()).map((place) => places.push(isOnDisk(place)));
    await Promise.all(places);
  }
  expect(await Promise.all(places)).toContain(false);
});

describe('a connection goes on after a copy', () => {
  const copy = (sql: Sql, kilobytes: number) =>
    sql.unsafe(`copy (select repeat('x', 1023) from generate_series(1, ${kilobytes})) to stdout`).readable();

  it('whose last piece came before its reader had the others', async () => {
    const sql = connectPostgres(home.url, { max: 1 });
    for (let kilobytes = 60; kilobytes <= 140; kilobytes += 4) {
      const copied = await copy(sql, kilobytes);
      await sleep(20);
      let bytes = 0;
      for await (const piece of copied) bytes += (piece as Buffer).length;
      expect(bytes).toBe(kilobytes * 1_024);
      expect((await sql`select ${kilobytes}::int as kilobytes`)[0]).toEqual({ kilobytes });
    }
    await sql.end();
  });

  it('whose reader gave up', async () => {
    const sql = connectPostgres(home.url, { max: 1 });
    for (const kilobytes of [70, 10_000]) {
      const copied = await copy(sql, kilobytes);
      await sleep(20);
      for await (const _ of copied) break;
      expect((await sql`select ${kilobytes}::int as kilobytes`)[0]).toEqual({ kilobytes });
    }
    await sql.end();
  });
});

describe('pinned', () => {
  const pid = async (executor: Sql) => {
    const [row] = await executor<{ pid: number }[]>`select pg_backend_pid() as pid, pg_sleep(0.01)`;
    return row?.pid;
  };
  const many = (count: number, run: () => Promise<number | undefined>) =>
    Promise.all(Array.from({ length: count }, run));

  it('statements go to one connection that the pool does not have, also after one failed', async () => {
    const { sql, pinned } = home.database;
    const first = await pinned(pid);
    expect(await many(20, () => pid(sql))).not.toContain(first);
    expect(await many(16, () => pinned(pid))).toEqual(Array(16).fill(first));
    const [failed, next] = await Promise.allSettled([pinned((kept) => kept`select 1 / 0`), pinned(pid)]);
    expect(failed).toMatchObject({ reason: { message: 'division by zero' } });
    expect(next).toMatchObject({ value: first });
  });

  it('those who find sixteen waiting go to the pool', async () => {
    const { pinned } = home.database;
    const first = await pinned(pid);
    const all = await many(20, () => pinned(pid));
    expect(all.filter((one) => one === first)).toHaveLength(16);
  });

  it('a statement that waits for a lock holds up nobody, and is carried out once', async () => {
    const { sql, pinned } = home.database;
    await sql`insert into note values ('one')`;
    const locked = Promise.withResolvers<void>();
    const holding = sql.begin(async (transaction) => {
      await transaction`update note set text = 'two' where text = 'one'`;
      locked.resolve();
      await sleep(1_000);
    });
    await locked.promise;
    let isDone = false;
    const waiting = pinned(
      async (kept) => kept`update note set text = text || '!' where text in ('one', 'two')`,
    );
    void waiting.then(() => {
      isDone = true;
    });
    await many(15, () => pinned(pid));
    expect(isDone).toBe(false);
    await Promise.all([holding, waiting]);
    expect(await sql`select text from note where text like 'two%'`).toEqual([{ text: 'two!' }]);
  });

  it('statements whose connection is lost fail, all of them, and the next one finds a new connection', async () => {
    const { sql, pinned } = home.database;
    const first = await pinned(pid);
    const waiting = Promise.allSettled(Array.from({ length: 16 }, () => pinned(pid)));
    await sql`select pg_terminate_backend(${first ?? 0})`;
    const lost = (await waiting).filter((one) => one.status === 'rejected');
    expect(lost.length).toBeGreaterThan(5);
    expect(lost.map(({ reason }) => isConnectionLost(reason))).toEqual(Array(lost.length).fill(true));
    // The end of the connection is told to this process a moment after the last statement failed of it.
    const next = await vi.waitFor(() => pinned(pid));
    expect(next).not.toBe(first);
    expect(await pinned(pid)).toBe(next);
  });
});

it('a statement has no functions of its own that settle it, by which V8 would keep its rows', async () => {
  const statement = home.database.sql`select 1 as one`;
  expect(await statement).toEqual([{ one: 1 }]);
  expect(Object.keys(statement).filter((key) => key === 'resolve' || key === 'reject')).toEqual([]);
});
