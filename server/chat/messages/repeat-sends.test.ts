import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import type { Message } from '#contract/chat.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask, creditsOf, draft, endOf, refusal, send, textOf, waitForEnd } from '#test/chat/chat.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { openEvents } from '#test/events.ts';
import { IS_LONG } from '#test/runs.ts';

let app: TestApp;
afterEach(async () => {
  await expectNoDrift(app.database.database.sql);
  await app.close();
});

test('the same send 20 times at once, and once more after a restart, is one message and one hold', async () => {
  app = await createTestApp();
  const user = await app.signedIn();
  const one = draft();
  const responses = await Promise.all(Array.from({ length: 20 }, () => user.post('/api/messages', one)));
  const statuses = responses.map((response) => response.status).sort();
  expect(statuses).toEqual([...Array(19).fill(200), 201]);
  const ended = await waitForEnd(user, one.id);

  await app.stop();
  const restarted = await createTestApp({ beside: app });
  const again = await restarted.visit({ cookie: user.cookie }).post('/api/messages', one);
  expect([again.status, await again.json()]).toEqual([200, ended]);
  await restarted.close();

  const { sql } = app.database.database;
  const holds = await sql`select id, state from credit.hold where user_id = ${user.userId}`;
  expect([...holds]).toEqual([{ id: one.id, state: 'settled' }]);
  const asked = (await app.gemini.requests()).filter(({ path }) => path.includes('streamGenerateContent'));
  expect(asked).toHaveLength(1);
});

test('a repeat while the answer runs is the running message', async () => {
  app = await createTestApp();
  const user = await app.signedIn();
  const one = draft({ content: '/emulate slow-first-token ms=60000' });
  await send(user, one);
  const again = await user.post('/api/messages', one);
  expect(again.status).toBe(200);
  expect(await again.json()).toMatchObject({ id: one.id, status: 'running' });
});

test('the same id for something else is refused and costs nothing', async () => {
  app = await createTestApp();
  const user = await app.signedIn();
  const one = draft();
  await ask(user, one);
  const others = [
    { content: 'Something else' },
    { model: 'parley-flash' },
    { conversationId: randomUUID() },
    { parentId: one.id },
  ];
  for (const other of others) {
    const response = await user.post('/api/messages', { ...one, ...other });
    expect(await refusal(response)).toMatchObject({ status: 409, code: 'key_reused' });
  }
  expect(await creditsOf(user)).toBe(32);
});

test('an id that belongs to another user is not found and stays as it is', async () => {
  app = await createTestApp();
  const [user, other] = [await app.signedIn(), await app.signedIn()];
  const one = draft();
  const ended = await ask(user, one);
  const response = await other.post('/api/messages', one);
  expect(await refusal(response)).toMatchObject({ status: 404, code: 'not_found' });
  const page = await user.get(`/api/messages?conversationId=${one.conversationId}`);
  expect(((await page.json()) as { messages: Message[] }).messages).toEqual([ended]);
  expect(await creditsOf(other)).toBe(40);
});

test.runIf(IS_LONG)(
  'two users who take one id at the same moment do not get in each other’s way',
  async () => {
    app = await createTestApp();
    const [user, other] = [await app.signedIn(), await app.signedIn()];
    for (let left = 20; left > 0; left -= 1) {
      const one = draft({ content: '/emulate http-400' });
      const responses = await Promise.all([
        user.post('/api/messages', one),
        other.post('/api/messages', one),
      ]);
      expect(responses.map(({ status }) => status).sort()).toEqual([201, 404]);
      await waitForEnd(responses[0]?.status === 201 ? user : other, one.id);
    }
    expect([await creditsOf(user), await creditsOf(other)]).toEqual([40, 40]);
  },
);

test('a message whose commit a crash of PostgreSQL took back is answered anew when it is sent again', async () => {
  app = await createTestApp();
  const { generation } = app.deps;
  const user = await app.signedIn();
  const { id } = await send(user, { content: '/emulate never-ends' });
  const former = await openEvents(user, `/api/messages/${id}/events`);
  await former.next(({ event }) => event === 'text');
  const run = generation.find(id);
  if (run) generation.run(run.message);
  await former.ended;
  expect(former.received.some(({ event }) => event === 'end')).toBe(false);
  const again = await openEvents(user, `/api/messages/${id}/events`);
  await again.next(({ event }) => event === 'text');
  await user.post(`/api/messages/${id}/stop`);
  await again.ended;
  expect(endOf(again.received)).toMatchObject({ status: 'stopped', response: textOf(again.received) });
  const asked = (await app.gemini.requests()).filter(({ path }) => path.includes('streamGenerateContent'));
  expect(asked.map(({ aborted }) => aborted)).toEqual([true, true]);
});
