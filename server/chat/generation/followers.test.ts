import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import { apiUser } from '#test/api.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask, creditsOf, draft, send } from '#test/chat/chat.ts';
import { lineOf, plantTree } from '#test/chat/conversation-tree.ts';
import type { TestClient } from '#test/client.ts';
import { openEvents, readEvents } from '#test/events.ts';
import { IS_LONG } from '#test/runs.ts';
import { findMessage } from '../message-store/store.ts';
import { RemoteFeeds } from './remote-feeds.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ env: { MAX_RUNNING_PER_USER: '2' } });
});
afterAll(() => app.close());

const SLOW = '/emulate slow-first-token ms=60000';
const MAX_READERS = 20;

/** Opens so many followers of a new answer as the user may have. */
async function follow(user: TestClient) {
  const { id } = await send(user, { content: SLOW });
  const path = `/api/messages/${id}/events`;
  const readers = await Promise.all(Array.from({ length: MAX_READERS }, () => openEvents(user, path)));
  return { id, path, readers };
}

const codeOf = async (response: Response) => ((await response.json()) as ErrorBody).error.code;

test.runIf(IS_LONG)(
  'a user has ten readers for each answer that may run, and is told when there are more',
  async () => {
    const user = await app.signedIn();
    const { id, path, readers } = await follow(user);
    const refused = await user.get(path);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
    expect(await codeOf(refused)).toBe('too_many_streams');
    const other = await app.signedIn();
    expect((await openEvents(other, '/api/messages', { body: draft() })).response.status).toBe(201);
    readers[0]?.close();
    await expect
      .poll(async () => {
        const again = await openEvents(user, path).catch(() => null);
        again?.close();
        return again !== null;
      })
      .toBe(true);
    for (const reader of readers) reader.close();
    await user.post(`/api/messages/${id}/stop`);
  },
);

test('a send that nobody could follow is refused before anything is held', async () => {
  const user = await app.signedIn();
  const { id, readers } = await follow(user);
  const headers = { accept: 'text/event-stream', 'content-type': 'application/json' };
  const body = draft();
  const refused = await user.request('/api/messages', {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  expect([refused.status, await codeOf(refused)]).toEqual([429, 'too_many_streams']);
  expect((await user.get(`/api/messages/${body.id}`)).status).toBe(404);
  expect(await creditsOf(user)).toBe(32);
  for (const reader of readers) reader.close();
  await user.post(`/api/messages/${id}/stop`);
});

test('callers of the API are readers too, however often they repeat one request', async () => {
  const { key, user } = await apiUser(app);
  const controller = new AbortController();
  const messages = [{ role: 'user', content: SLOW }];
  const complete = () =>
    fetch(`${app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${key}`,
        'idempotency-key': 'same',
      },
      body: JSON.stringify({ model: 'gemini-2.5-flash-lite', messages, stream: true }),
      signal: controller.signal,
    });
  for (let left = MAX_READERS; left > 0; left -= 1) complete().catch(() => {});
  await expect
    .poll(async () => {
      const answer = await Promise.race([
        complete(),
        new Promise<null>((resolve) => setTimeout(resolve, 200, null)),
      ]);
      return answer && [answer.status, await answer.json()];
    })
    .toMatchObject([429, { error: { type: 'requests', code: 'rate_limit_exceeded' } }]);
  controller.abort();
  await expect.poll(() => creditsOf(user)).toBe(40);
});

test('a user’s open tabs are counted by themselves', async () => {
  const user = await app.signedIn();
  const { id, readers } = await follow(user);
  const tab = await openEvents(user, '/api/live');
  expect(tab.response.status).toBe(200);
  for (const reader of [...readers, tab]) reader.close();
  await user.post(`/api/messages/${id}/stop`);
});

test('all readers of an answer that is over share its events, which are forgotten after the last of them', async () => {
  const user = await app.signedIn();
  const { id } = await ask(user);
  const message = await findMessage(app.deps.database.sql, user.userId, id);
  if (!message) throw new Error('the message is not there');
  const feeds = new RemoteFeeds(app.deps, 20);
  const [one, two] = await Promise.all([feeds.open(message), feeds.open(message)]);
  expect(one).toBe(two);
  const leave = one?.watch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 40));
  expect(await feeds.open(message)).toBe(one);
  leave?.();
  await new Promise((resolve) => setTimeout(resolve, 40));
  expect(await feeds.open(message)).not.toBe(one);
  feeds.close();
});

/** An answered message of the user with a thousand events, and the end. */
async function plantLongAnswer(userId: string): Promise<string> {
  const { sql } = app.database.database;
  const { ids } = await plantTree(sql, userId, lineOf(1));
  const id = ids[0] ?? '';
  const events = JSON.stringify(Array.from({ length: 1_000 }, (_, n) => ['text', { text: `${n} ` }]));
  await sql`insert into message_events (message_id, first_seq, last_seq, events) values (${id}, 1, 1000, ${events}::text::jsonb)`;
  await sql`update messages set end_seq = 1001 where id = ${id}`;
  return id;
}

test('a log with a gap and hundreds of rows behind it is read once, and the answer is whole', async () => {
  const user = await app.signedIn();
  const { sql } = app.database.database;
  const id = (await plantTree(sql, user.userId, lineOf(1))).ids[0] ?? '';
  await sql`
    insert into message_events (message_id, first_seq, last_seq, events)
    select ${id}, n, n, '[["text", {"text": "late "}]]' from generate_series(101, 400) n`;
  await sql`update messages set end_seq = 401 where id = ${id}`;
  const feeds = new RemoteFeeds(app.deps);
  const feed = await feeds.open({ id, userId: user.userId });
  expect([feed.isWhole, feed.ending?.id]).toEqual([true, id]);
  feeds.close();
});

test('readers who wait for a long answer are called once for all of what is read', async () => {
  const user = await app.signedIn();
  const id = await plantLongAnswer(user.userId);
  const feeds = new RemoteFeeds(app.deps);
  const opening = feeds.open({ id, userId: user.userId });
  const waiting = feeds.find({ id, userId: user.userId });
  let calls = 0;
  waiting?.watch(() => {
    calls += 1;
  });
  await opening;
  expect([waiting?.events.length, calls]).toEqual([1_000, 2]);
  expect(feeds.find({ id, userId: (await app.signedIn()).userId })).toBeNull();
  feeds.close();
});

test('a long answer is replayed the same from every event on', async () => {
  const user = await app.signedIn();
  const id = await plantLongAnswer(user.userId);
  const path = `/api/messages/${id}/events`;
  const whole = await readEvents(user, path);
  expect(whole.map((event) => event.id)).toEqual(Array.from({ length: 1_001 }, (_, n) => n + 1));
  for (const after of [1, 255, 256, 257, 511, 999, 1_000])
    expect(await readEvents(user, path, { after })).toEqual(whole.slice(after));
});
