import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createLog } from '../log.ts';
import { openDatabase } from './database.ts';
import { createInstance } from './instance.ts';

let home: TestDatabase;
beforeAll(async () => {
  home = await createTestDatabase();
});
afterAll(async () => {
  await home.drop();
});

const log = createLog('silent');
const SHORT = { beatMs: 20, leaseMs: 200 };

test('an instance is seen while it beats, and gone once it has stopped', async () => {
  const { database } = home;
  const instance = createInstance(database, log, SHORT);
  await instance.start();
  const seen = async () => {
    const [row] = await database.sql<{ seenAt: Date }[]>`
      select seen_at as "seenAt" from instances where id = ${instance.id}`;
    return row?.seenAt.getTime() ?? null;
  };
  const first = await seen();
  await expect.poll(seen).toBeGreaterThan(first ?? Number.POSITIVE_INFINITY);
  expect(instance.hasPeers).toBe(false);
  await instance.stop();
  expect(await seen()).toBe(null);
});

test('a heartbeat does not wait while statements of users hold every connection of the pool', async () => {
  const database = openDatabase(home.url, { poolSize: 1 });
  const instance = createInstance(database, log, SHORT);
  const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = database.sql.begin(async (sql) => {
    await sql`select`;
    begun.resolve();
    await over.promise;
  });
  await begun.promise;
  await expect(instance.beat()).resolves.toBeUndefined();
  over.resolve();
  await holding;
  await instance.stop();
  await database.close();
});

test('an instance that is not seen for a lease is nobody’s peer', async () => {
  const { database } = home;
  const [one, other] = [createInstance(database, log, SHORT), createInstance(database, log, SHORT)];
  await other.beat();
  await one.beat();
  expect(one.hasPeers).toBe(true);
  await sleep(SHORT.leaseMs);
  await one.beat();
  expect(one.hasPeers).toBe(false);
  await Promise.all([one.stop(), other.stop()]);
});

test('an instance that could not beat for half a lease is not steady, and in no doubt', async () => {
  const instance = createInstance(home.database, log, { beatMs: 1_000, leaseMs: 1_000 });
  let doubts = 0;
  instance.onLeaseDoubt(() => {
    doubts += 1;
  });
  await instance.beat();
  await sleep(550);
  expect(instance.steadyMs()).toBe(0);
  await instance.beat();
  expect([doubts, instance.steadyMs() < 500]).toEqual([0, true]);
  await instance.stop();
});

test('heartbeats that pause for a lease put it in doubt, and steadiness begins anew', async () => {
  const instance = createInstance(home.database, log, SHORT);
  let doubts = 0;
  instance.onLeaseDoubt(() => {
    doubts += 1;
  });
  expect(instance.steadyMs()).toBe(0);
  await instance.beat();
  await sleep(30);
  await instance.beat();
  expect([doubts, instance.steadyMs() >= 30]).toEqual([0, true]);
  await sleep(SHORT.leaseMs);
  expect(instance.steadyMs()).toBe(0);
  await instance.beat();
  expect([doubts, instance.steadyMs() < SHORT.leaseMs]).toEqual([1, true]);
  await instance.stop();
});
