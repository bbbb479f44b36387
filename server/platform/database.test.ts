import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';

let home: TestDatabase;
beforeAll(async () => {
  home = await createTestDatabase();
  await home.database.sql`create table note (text text)`;
});
afterAll(() => home.drop());

/** Commits without waiting for the disk; says up to where the log of PostgreSQL must be there. */
async function commit(): Promise<string> {
  const { sql } = home.database;
  await sql`insert into note select 'x' from set_config('synchronous_commit', 'off', true)`;
  const [row] = await sql<{ place: string }[]>`select pg_current_wal_insert_lsn()::text as place`;
  return row?.place ?? '';
}

async function isOnDisk(place: string): Promise<boolean> {
  const [row] = await home.database.sql<{ done: boolean }[]>`
    select pg_current_wal_flush_lsn() >= ${place}::pg_lsn as done`;
  return row?.done ?? false;
}

it('whatever was committed before a flush is on disk after it, however many flush at once', async () => {
  const rounds = Array.from({ length: 100 }, async () => {
    const place = await commit();
    await home.database.flush();
    return isOnDisk(place);
  });
  expect(await Promise.all(rounds)).toEqual(Array(100).fill(true));
});

it('a commit that nobody flushed is not on disk at once', async () => {
  const places: boolean[] = [];
  for (let n = 0; n < 20; n += 1) places.push(await isOnDisk(await commit()));
  expect(places).toContain(false);
});

it('warm statements share a connection, also after one failed, and go to the pool while it is busy', async () => {
  const { sql, warm } = home.database;
  const pid = async (executor: typeof sql) => {
    const [row] = await executor<{ pid: number }[]>`select pg_backend_pid() as pid, pg_sleep(0.05)`;
    return row?.pid;
  };
  const first = await warm(pid);
  const others = await Promise.all(Array.from({ length: 20 }, () => pid(sql)));
  expect(others).not.toContain(first);
  const [again, meanwhile] = await Promise.all([warm(pid), warm(pid)]);
  expect(again).toBe(first);
  expect(others).toContain(meanwhile);
  await expect(warm((executor) => executor`select 1 / 0`)).rejects.toThrow('division by zero');
  expect(await warm(pid)).toBe(first);
});
