import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask, creditsOf, endOf, send, textOf, waitForEnd } from '#test/chat/chat.ts';
import type { TestClient } from '#test/client.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { openEvents, readEvents } from '#test/events.ts';
import { IS_LONG } from '#test/runs.ts';

let one: TestApp;
let two: TestApp;
beforeEach(async () => {
  one = await createTestApp({ version: 15 });
  two = await createTestApp({ beside: one });
  await one.gemini.pace({ ttftMs: 2, gapMs: 2, jitter: 0 });
});
afterEach(async () => {
  await two.close();
  await expectNoDrift(one.database.database.sql);
  await one.close();
});

/** The same browser at the other process. */
function at(app: TestApp, user: TestClient): TestClient {
  return app.visit({ cookie: user.cookie });
}

test('an answer is followed live at the process that does not run it', async () => {
  const user = await one.signedIn();
  const { id } = await send(user, { content: '/emulate never-ends' });
  const there = await openEvents(at(two, user), `/api/messages/${id}/events`);
  const first = await there.next(({ event }) => event === 'text');
  expect(first.id).toBe(1);
  expect(one.deps.generation.find(id)).toBeDefined();
  expect(two.deps.generation.find(id)).toBeUndefined();
  await user.post(`/api/messages/${id}/stop`);
  await there.ended;
  const here = await readEvents(user, `/api/messages/${id}/events`);
  expect(there.received).toEqual(here);
  expect(endOf(here)).toMatchObject({ status: 'stopped', response: textOf(here) });
});

test.runIf(IS_LONG)('a reader who changes processes in the middle misses and repeats nothing', async () => {
  const user = await one.signedIn();
  const { id } = await send(user, { content: '/emulate long-answer characters=1500' });
  const path = `/api/messages/${id}/events`;
  const received = [];
  for (let turn = 0; received.at(-1)?.event !== 'end'; turn += 1) {
    const after = received.length;
    const events = await openEvents(at(turn % 2 ? two : one, user), path, after > 0 ? { after } : {});
    await events.next(({ id: seq, event }) => event === 'end' || (seq ?? 0) >= after + 7);
    events.close();
    await events.ended;
    received.push(...events.received);
  }
  expect(received.map(({ id: seq }) => seq)).toEqual(received.map((_, index) => index + 1));
  expect(textOf(received)).toBe(endOf(received).response);
});

test('an answer is stopped from the process that does not run it', async () => {
  const user = await one.signedIn();
  const { id } = await send(user, { content: '/emulate never-ends' });
  const events = await openEvents(user, `/api/messages/${id}/events`);
  await events.next(({ event }) => event === 'text');
  const response = await at(two, user).post(`/api/messages/${id}/stop`);
  expect([response.status, ((await response.json()) as { status: string }).status]).toEqual([200, 'stopped']);
  await events.ended;
  expect(endOf(events.received)).toMatchObject({ status: 'stopped', creditsUsed: 8 });
});

test.runIf(IS_LONG)('a stop that was not heard is found in the table', async () => {
  const user = await one.signedIn();
  const { id } = await send(user, { content: '/emulate slow-first-token ms=60000' });
  await one.database.database.sql`update messages set stop_requested_at = now() where id = ${id}`;
  expect(await waitForEnd(user, id)).toMatchObject({ status: 'stopped', creditsUsed: 0 });
});

test('an orderly stop lets answers finish until its deadline, then releases them and says so', async () => {
  const user = await one.signedIn();
  const { id } = await send(user, { content: '/emulate never-ends' });
  const events = await openEvents(user, `/api/messages/${id}/events`);
  await events.next(({ event }) => event === 'text');
  const quick = await send(await one.signedIn());
  const drained = one.deps.generation.drain(1_500);
  const refused = await user.post('/api/messages', {});
  expect(refused.status).toBe(422);
  await drained;
  await events.ended;
  expect(endOf(events.received)).toMatchObject({
    status: 'interrupted',
    creditsUsed: 0,
    response: textOf(events.received),
    error: { code: 'interrupted' },
  });
  expect(await creditsOf(at(two, user))).toBe(40);
  const [row] = await one.database.database.sql`select status from messages where id = ${quick.id}`;
  expect(row?.status).toBe('completed');
});

test('a process that stops refuses new messages', async () => {
  const user = await one.signedIn();
  await one.deps.generation.drain(0);
  await expect(send(user)).rejects.toThrow(/503.*unavailable/);
  expect(await creditsOf(user)).toBe(40);
  expect(await ask(at(two, user))).toMatchObject({ status: 'completed' });
});

test.runIf(IS_LONG)('the end of hundreds of answers at once is known to the other processes', async () => {
  const { sql } = one.database.database;
  const heard = new Set<unknown>();
  two.deps.bus.subscribe('events', ({ ids }) => {
    for (const id of Array.isArray(ids) ? ids : []) heard.add(id);
  });
  await expect.poll(() => one.deps.instance.hasPeers).toBe(true);
  const planted: unknown[] = [];
  for (let user = 0; user < 6; user += 1) {
    const { userId } = await one.signedIn();
    const rows = await sql`
      with holds as (
        select id, credit.take_hold(${userId}, id, 1, 'gemini-2.5-flash-lite', null)
          from (select gen_random_uuid() as id from generate_series(1, 40)) as new_ids)
      insert into messages (id, user_id, model, content, cost, owner, created_at)
      select id, ${userId}, 'gemini-2.5-flash-lite', '', 1, ${one.deps.instanceId}, now() - interval '1 minute' from holds
      returning id`;
    planted.push(...rows.map(({ id }) => id));
  }
  await expect.poll(() => heard.size).toBe(planted.length);
  expect(heard).toEqual(new Set(planted));
});
