import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask, creditsOf, endOf, send, textOf, waitForEnd } from '#test/chat/chat.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import {
  NO_PGBOUNCER,
  NO_PREPARED_STATEMENTS,
  type PgBouncer,
  startPgBouncer,
} from '#test/database/pgbouncer.ts';
import { openEvents } from '#test/events.ts';
import { IS_LONG } from '#test/runs.ts';
import { type ServerProgram, startServer } from '#test/server-program.ts';
import { openDatabase, Uncommitted } from './database.ts';
import { isConnectionLost } from './database-errors.ts';

const POOL_SIZE = 3;

function through(prepared: 'on' | 'off', skipped: string | null) {
  const title = `through PgBouncer, prepared statements ${prepared}`;
  describe.skipIf(skipped !== null)(skipped === null ? title : `${title} (skipped: ${skipped})`, () =>
    tests(prepared),
  );
}

through('off', NO_PGBOUNCER);
through('on', NO_PREPARED_STATEMENTS);

function tests(prepared: 'on' | 'off') {
  let database: TestDatabase;
  let bouncer: PgBouncer;
  let app: TestApp;
  let other: ServerProgram;

  const env = () => ({
    DATABASE_URL: bouncer.url,
    DATABASE_DIRECT_URL: database.url,
    DATABASE_PREPARED_STATEMENTS: prepared,
  });
  beforeAll(async () => {
    database = await createTestDatabase();
    bouncer = await startPgBouncer(database.url, POOL_SIZE);
    app = await createTestApp({ database: { ...database, url: bouncer.url }, env: env() });
  });
  beforeAll(async () => {
    other = await startServer(app, env());
  });
  afterAll(async () => {
    other?.program.process.kill('SIGKILL');
    await app?.close();
    await bouncer?.close();
  });

  it('a user signs up, and is answered', async () => {
    const user = app.visit();
    const { userId } = await user.signUp();
    expect(await ask(user)).toMatchObject({ status: 'completed' });
    expect(await creditsOf(user)).toBe(32);
    await expectNoDrift(database.database.sql, userId);
  });

  it.runIf(IS_LONG)('an answer is followed from another process', async () => {
    await app.gemini.work({ ttftMs: 50, tokens: 40, gapMs: 20, text: 'word ' });
    const user = await app.signedIn();
    const { id } = await send(user);
    const reader = await openEvents(other.at(user), `/api/messages/${id}/events`);
    await reader.next(({ event }) => event === 'text');
    await reader.ended;
    expect(textOf(reader.received)).toBe('word '.repeat(40));
    expect(endOf(reader.received)).toMatchObject({ status: 'completed', creditsUsed: 8 });
    await app.gemini.reset();
  });

  it('fifty messages at once in two processes are answered and paid on a few connections', async () => {
    const users = await Promise.all(Array.from({ length: 50 }, () => app.signedIn()));
    const ended = await Promise.all(
      users.map(async (user, i) => {
        const client = i % 2 === 0 ? user : other.at(user);
        return waitForEnd(client, (await send(client)).id);
      }),
    );
    expect(ended.map(({ status }) => status)).toEqual(users.map(() => 'completed'));
    const { sql } = database.database;
    expect(await sql`select * from credit.drift`).toEqual([]);
    for (const { userId } of users) await expectNoDrift(sql, userId);
    expect(await bouncer.servers()).toBeLessThanOrEqual(POOL_SIZE);
  });

  it('flushes and heartbeats all come back, which have one connection', async () => {
    const { flush, apart } = app.deps.database;
    const times = Array.from({ length: 200 }, (_, n) => n);
    const flushed = times.map((n) => flush(new Uncommitted(n)));
    const beaten = times.map(async (n) => (await apart<{ n: number }[]>`select ${n}::int as n`)[0]?.n);
    expect(await Promise.all([...flushed, ...beaten])).toEqual([...times, ...times]);
  });

  it.runIf(IS_LONG)(
    'statements without parameters and with them all come back, which wait for few connections',
    async () => {
      const preparesStatements = prepared === 'on';
      const { sql, close } = openDatabase(bouncer.url, {
        poolSize: POOL_SIZE,
        directUrl: database.url,
        preparesStatements,
      });
      const times = Array.from({ length: 500 }, (_, n) => n);
      const bare = times.map(async () => [...(await sql`select 1 as n`)]);
      const given = times.map(async (n) => [...(await sql`select ${n}::int as n`)]);
      const kept = times.map((n) => sql.begin(async (tx) => [...(await tx`select ${n}::int as n`)]));
      const numbered = times.map((n) => [{ n }]);
      expect(await Promise.all(bare)).toEqual(times.map(() => [{ n: 1 }]));
      expect(await Promise.all(given)).toEqual(numbered);
      expect(await Promise.all(kept)).toEqual(numbered);
      await close();
    },
  );

  it('a notification of one process reaches the other', async () => {
    const user = await app.signedIn();
    const live = await openEvents(other.at(user), '/api/live');
    const { conversationId } = await ask(user);
    await live.next(({ data }) => JSON.stringify(data).includes(String(conversationId)));
    live.close();
  });

  it('statements have their time-out', async () => {
    const { sql } = app.deps.database;
    expect(await sql`select current_setting('statement_timeout') as timeout`).toEqual([{ timeout: '30s' }]);
  });

  it('a connection that PostgreSQL ends is an outage that passes', async () => {
    const one = openDatabase(bouncer.url, { poolSize: 1, directUrl: database.url });
    const token = randomUUID();
    const sleeping = one.sql`select pg_sleep(60), ${token}::text`.catch((error) => error);
    await expect
      .poll(
        () => database.database.sql`
          select pg_terminate_backend(pid) from pg_stat_activity
           where query like 'select pg_sleep%' and state = 'active' and pid <> pg_backend_pid()`,
      )
      .toHaveLength(1);
    const error = await sleeping;
    expect(isConnectionLost(error), `${error.code}: ${error.message}`).toBe(true);
    expect(await one.sql`select 1 as one`).toEqual([{ one: 1 }]);
    await one.close();
  });

  it('being one client too many is an outage that passes', async () => {
    const small = await startPgBouncer(database.url, POOL_SIZE, { maxClients: 1 });
    const open = () => openDatabase(small.url, { poolSize: 1, directUrl: database.url });
    const [one, two] = [open(), open()];
    expect(await one.sql`select 1 as one`).toEqual([{ one: 1 }]);
    const error = await two.sql`select 1 as one`.catch((refused) => refused);
    expect(error).toMatchObject({ code: '08P01' });
    expect(isConnectionLost(error)).toBe(true);
    await one.close();
    await expect.poll(() => two.sql`select 1 as one`.catch(() => null)).toEqual([{ one: 1 }]);
    await two.close();
    await small.close();
  });

  it('a fault of ours that PostgreSQL refuses with the same code is no outage', async () => {
    const wrong = app.deps.database.sql.unsafe('select $1::int, $2::int', [1]).catch((error) => error);
    expect(await wrong).toMatchObject({ code: '08P01' });
    expect(isConnectionLost(await wrong)).toBe(false);
  });

  it.runIf(IS_LONG)('a restart of PgBouncer is an outage that passes', async () => {
    const user = await app.signedIn();
    await bouncer.kill();
    expect((await user.get('/api/me')).status).toBe(503);
    await bouncer.start();
    await expect.poll(async () => (await user.get('/api/me')).status).toBe(200);
    expect(await ask(user)).toMatchObject({ status: 'completed' });
    await expectNoDrift(database.database.sql, user.userId);
  });

  it.runIf(IS_LONG)('both processes stop in order', async () => {
    other.program.process.kill('SIGTERM');
    expect(await other.program.ended).toBe(0);
    await app.stop();
    expect(await database.database.sql`select * from instances`).toEqual([]);
  });
}
