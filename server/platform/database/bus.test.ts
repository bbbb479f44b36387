import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createLog } from '../log.ts';
import { requestContext, runAbout } from '../telemetry/request-context.ts';
import { type Bus, createBus } from './bus.ts';
import { type Database, openDatabase } from './database.ts';
import { createInstance, type Instance, type InstanceTimes } from './instance.ts';

let home: TestDatabase;
const started: { bus: Bus; instance: Instance; database: Database }[] = [];

async function start(times?: InstanceTimes) {
  const database = openDatabase(home.url);
  const log = createLog('silent');
  const instance = createInstance(database, log, times);
  const bus = createBus(database, instance, log);
  await instance.start();
  await bus.start();
  const one = { bus, instance, database };
  started.push(one);
  return one;
}

beforeAll(async () => {
  home = await createTestDatabase();
});
afterAll(async () => {
  for (const { bus, instance, database } of started) {
    await bus.close();
    await instance.stop();
    await database.close();
  }
  await home.drop();
});

/** What a listener receives first. */
function receivedBy(bus: Bus, topic: string) {
  return new Promise<[unknown, unknown]>((resolve) => {
    const stop = bus.subscribe(topic, (payload, value) => {
      stop();
      resolve([payload, value]);
    });
  });
}

test('what is published is heard here at once with its value, and elsewhere by reference', async () => {
  const [one, two] = [await start(), await start()];
  await expect.poll(() => one.instance.hasPeers && two.instance.hasPeers).toBe(true);
  const elsewhere = receivedBy(two.bus, 'user:1');
  const here: unknown[] = [];
  const stop = one.bus.subscribe('user:1', (payload, value) => here.push([payload, value]));
  one.bus.publish('user:1', { type: 'message', id: '7' }, { whole: true });
  expect(here).toEqual([[{ type: 'message', id: '7' }, { whole: true }]]);
  expect(await elsewhere).toEqual([{ type: 'message', id: '7' }, undefined]);
  stop();
  one.bus.publish('user:1', { type: 'message', id: '8' });
  expect(here).toHaveLength(1);
});

test('no function of the database notifies: its transaction writes, and all others would wait for the disk', async () => {
  const found = await home.database.sql`
    select proname from pg_proc
     where pronamespace in ('public'::regnamespace, 'credit'::regnamespace, 'billing'::regnamespace) and prosrc ilike '%notify%'`;
  expect([...found]).toEqual([]);
});

test('what a listener does is no work of the request that published', async () => {
  const { bus } = await start();
  const seen: unknown[] = [];
  bus.subscribe('apart', () => seen.push(requestContext()));
  runAbout({ requestId: 'one', userId: 'u' }, () => bus.publish('apart', {}));
  expect(seen).toEqual([undefined]);
});

test('a listener that fails keeps nobody from hearing', async () => {
  const { bus } = await start();
  bus.subscribe('topic', () => {
    throw new Error('no');
  });
  const other = receivedBy(bus, 'topic');
  bus.publish('topic', { n: 1 });
  expect(await other).toEqual([{ n: 1 }, undefined]);
});

test('after its connection was cut a process hears again, and says that it may have missed something', async () => {
  const [one, two] = [await start(), await start()];
  await expect.poll(() => one.instance.hasPeers).toBe(true);
  const gap = new Promise<void>((resolve) => two.bus.onGap(resolve));
  await home.database.sql`
    select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen%' and datname = current_database()`;
  await gap;
  const again = receivedBy(two.bus, 'after');
  one.bus.publish('after', { n: 1 });
  expect(await again).toEqual([{ n: 1 }, undefined]);
});

test('a process that stood still for a lease says that it may have missed something, and the others count it again', async () => {
  const leaseMs = 200;
  const one = await start({ beatMs: 600_000, leaseMs: 600_000 });
  const two = await start({ beatMs: 600_000, leaseMs });
  const seenAt = async () => {
    const [row] = await home.database.sql`select seen_at from instances where id = ${one.instance.id}`;
    return row?.seen_at as Date;
  };
  let gaps = 0;
  two.bus.onGap(() => {
    gaps += 1;
  });
  await sleep(leaseMs);
  const before = await seenAt();
  await two.instance.beat();
  expect(gaps).toBe(1);
  await expect.poll(seenAt).not.toEqual(before);
});

test('what one process publishes is heard elsewhere in its order', async () => {
  const [one, two] = [await start(), await start()];
  await expect.poll(() => one.instance.hasPeers).toBe(true);
  const heard: unknown[] = [];
  two.bus.subscribe('in order', ({ n }) => heard.push(n));
  const numbers = Array.from({ length: 2_000 }, (_, n) => n);
  for (const n of numbers) {
    one.bus.publish('in order', { n });
    await new Promise((resolve) => setImmediate(resolve));
  }
  await expect.poll(() => heard.length).toBe(numbers.length);
  expect(heard).toEqual(numbers);
});
