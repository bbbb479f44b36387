import { type AddressInfo, createServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { startPostgresProxy } from '#test/database/postgres-proxy.ts';
import { IS_LONG } from '#test/runs.ts';
import { type Database, type Executor, openDatabase } from './database.ts';
import { isConnectionLost } from './database-errors.ts';

const STATEMENTS = 4;
const PLACES = Array.from({ length: STATEMENTS + 1 }, (_, place) => place);

let home: TestDatabase;
let one: Database;
let sql: Sql;

beforeAll(async () => {
  home = await createTestDatabase({ poolSize: 1 });
  await home.database.sql`create table note (text text)`;
});
afterAll(() => home.drop());

beforeEach(async () => {
  await home.database.sql`truncate note`;
  one = openDatabase(home.url, { poolSize: 1 });
  sql = one.sql;
});
afterEach(() => one.close());

async function pidOf(executor: Executor): Promise<number> {
  const [row] = await executor<{ pid: number }[]>`select pg_backend_pid() as pid`;
  return row?.pid ?? 0;
}

/** Ends a backend, and waits until it has. */
const kill = (pid: number) => home.database.sql`select pg_terminate_backend(${pid}, 5000)`;

async function write(executor: Executor, text: string) {
  await executor`insert into note values (${text})`;
}

async function notes(): Promise<string[]> {
  const rows = await home.database.sql<{ text: string }[]>`select text from note order by text`;
  return rows.map(({ text }) => text);
}

/** The pool has one connection: the next statement finds the one that was lost, opened again. */
async function expectUsable() {
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  await sql.begin((tx) => write(tx, 'after'));
  expect(await notes()).toContain('after');
}

describe('a transaction whose connection is lost', () => {
  const pauses = { 'at once': () => {}, 'a turn later': () => nextTurn(), 'a while later': () => sleep(20) };

  describe.each(Object.entries(pauses))('and that goes on %s', (_, pause) => {
    it.each(PLACES)(
      'before statement %i keeps nothing, and the connection is opened again',
      async (place) => {
        const run = sql.begin(async (tx) => {
          const pid = await pidOf(tx);
          for (let n = 0; n < STATEMENTS; n += 1) {
            if (n === place) await kill(pid);
            await pause();
            await write(tx, `${n}`);
          }
          if (place === STATEMENTS) await kill(pid);
          await pause();
        });
        await expect(run).rejects.toSatisfy(isConnectionLost);
        expect(await notes()).toEqual([]);
        await expectUsable();
      },
    );
  });

  it.each(PLACES)('while statement %i is on its way is kept whole or not at all', async (place) => {
    const run = sql.begin(async (tx) => {
      const pid = await pidOf(tx);
      for (let n = 0; n < STATEMENTS; n += 1) {
        if (n === place) void kill(pid).execute();
        await write(tx, `${n}`);
      }
      if (place === STATEMENTS) void kill(pid).execute();
    });
    const [end] = await Promise.allSettled([run]);
    if (end.status === 'rejected') expect(end.reason).toSatisfy(isConnectionLost);
    const kept = (await notes()).length;
    expect(end.status === 'fulfilled' ? [STATEMENTS] : [0, STATEMENTS]).toContain(kept);
    await sleep(50);
    await expectUsable();
  });

  it('takes its statements that were not sent yet with it', async () => {
    const [end] = await Promise.allSettled([
      sql.begin(async (tx) => {
        void kill(await pidOf(tx)).execute();
        const waiting = Array.from({ length: 300 }, () => tx`select pg_sleep(0.05)`);
        const ends = await Promise.allSettled(waiting);
        expect(ends.at(-1)).toMatchObject({ status: 'rejected' });
        throw ends.find((each) => each.status === 'rejected')?.reason;
      }),
    ]);
    expect(end).toMatchObject({ status: 'rejected' });
    await expectUsable();
  });

  it('by a reset keeps nothing, and the connection is opened again', async () => {
    const proxy = await startPostgresProxy(home.url, { tcp: true });
    const far = openDatabase(proxy.url, { poolSize: 1 });
    for (let round = 0; round < 5; round += 1) {
      const run = far.sql.begin(async (tx) => {
        await write(tx, 'before');
        proxy.down();
        for (let n = 0; n < STATEMENTS; n += 1) await write(tx, `${n}`).catch(() => {});
      });
      await expect(run).rejects.toSatisfy(isConnectionLost);
      proxy.up();
      for (let n = 0; n < STATEMENTS; n += 1) await far.sql`select 1`;
    }
    expect(await notes()).toEqual([]);
    await far.close();
    proxy.close();
  });

  it.each(['statement', 'answer'] as const)(
    'whose host is gone without a word, and the %s with it, is given up',
    async (what) => {
      const proxy = await startPostgresProxy(home.url, { tcp: true });
      const far = openDatabase(proxy.url, { poolSize: 1, answerSeconds: 1 });
      onTestFinished(async () => {
        await far.close();
        proxy.close();
      });
      const kept = proxy.keepBack(what, 'insert into note');
      const run = far.sql.begin((tx) => write(tx, 'unheard'));
      await kept;
      await expect(run).rejects.toSatisfy(isConnectionLost);
      expect(await far.sql`select 1 as one`).toEqual([{ one: 1 }]);
      expect(await notes()).toEqual([]);
    },
  );

  it('writes nothing into the transaction that has its connection next', async () => {
    const [lost, opened, written] = [0, 1, 2].map(() => Promise.withResolvers<void>());
    const first = sql.begin(async (tx) => {
      await kill(await pidOf(tx));
      lost?.resolve();
      await opened?.promise;
      await write(tx, 'dead');
    });
    const ends = Promise.allSettled([
      first.finally(() => written?.resolve()),
      lost?.promise.then(() =>
        sql.begin(async (tx) => {
          await write(tx, 'living');
          opened?.resolve();
          await written?.promise;
          await sleep(50);
          throw new Error('changed my mind');
        }),
      ),
    ]);
    expect(await ends).toMatchObject([
      { reason: { code: 'CONNECTION_CLOSED' } },
      { reason: { message: 'changed my mind' } },
    ]);
    expect(await notes()).toEqual([]);
    await expectUsable();
  });
});

it.runIf(IS_LONG)('a statement whose connection is lost fails, and the next one does not', async () => {
  for (let round = 0; round < 20; round += 1) {
    const pid = await pidOf(sql);
    const running = Promise.allSettled([sql`select pg_sleep(5)`.execute()]);
    await sleep(5);
    await kill(pid);
    const [end] = await running;
    expect(end).toMatchObject({ status: 'rejected' });
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  }
});

it('a statement fails whose connection the other side closes before it is ready', async () => {
  const server = createServer((client) => client.once('data', () => client.end()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const far = openDatabase(`postgres://parley@127.0.0.1:${port}/parley`, { poolSize: 1 });
  await expect(far.sql`select 1`).rejects.toSatisfy(isConnectionLost);
  await expect(far.sql.begin((tx) => write(tx, 'never'))).rejects.toSatisfy(isConnectionLost);
  await far.close();
  server.close();
});

it.runIf(IS_LONG)(
  'of transactions that are killed at random each is done whole or not at all, and told so',
  async () => {
    const many = openDatabase(home.url, { poolSize: 4 });
    let [isOver, done, lost] = [false, 0, 0];

    async function work(worker: number) {
      for (let n = 0; !isOver; n += 1) {
        const name = `${worker} ${n}`;
        const [end] = await Promise.allSettled([
          many.sql.begin(async (tx) => {
            for (const half of ['a', 'b']) await write(tx, `${name} ${half}`);
          }),
        ]);
        if (end.status === 'fulfilled') done += 1;
        else if (isConnectionLost(end.reason)) lost += 1;
        else throw end.reason;
      }
    }

    const workers = Promise.all(Array.from({ length: 6 }, (_, worker) => work(worker)));
    while (done < 100 || lost < 50) {
      await home.database.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and random() < 0.3`;
      await sleep(Math.random() * 30);
    }
    isOver = true;
    await workers;
    const kept = (await notes()).map((text) => text.slice(0, -2));
    const whole = new Set(kept).size;
    expect(kept.length).toBe(whole * 2);
    expect(whole).toBeGreaterThanOrEqual(done);
    expect(whole).toBeLessThanOrEqual(done + lost);
    expect(await Promise.all(Array.from({ length: 20 }, () => many.sql`select 1 as one`))).toHaveLength(20);
    await many.close();
  },
);
