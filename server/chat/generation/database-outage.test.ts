import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask, creditsOf, draft, endOf, refusal, send, textOf, waitForEnd } from '#test/chat/chat.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { type PostgresProxy, startPostgresProxy } from '#test/database/postgres-proxy.ts';
import { openEvents } from '#test/events.ts';

let home: TestApp;
let proxy: PostgresProxy;
let app: TestApp;
beforeEach(async () => {
  home = await createTestApp();
  proxy = await startPostgresProxy(home.database.url);
  app = await createTestApp({ beside: { ...home, database: { ...home.database, url: proxy.url } } });
});
afterEach(async () => {
  await app.close();
  proxy.close();
  await expectNoDrift(home.database.database.sql);
  await home.close();
});

test('an answer goes on while the database is away, and is stored and paid when it is back', async () => {
  // Slow enough that a busy machine does not miss most of it.
  await home.gemini.pace({ ttftMs: 2, gapMs: 5, jitter: 0 });
  const user = await app.signedIn();
  const { id } = await send(user, { content: '/emulate long-answer characters=2000' });
  const events = await openEvents(user, `/api/messages/${id}/events`);
  await events.next(({ event }) => event === 'text');
  proxy.down();
  const before = events.received.length;
  await events.next((event) => (event.id ?? 0) > before + 5);
  await expect.poll(() => app.deps.generation.find(id)?.isClosing).toBe(true);
  proxy.up();
  await events.ended;
  expect(endOf(events.received)).toMatchObject({ status: 'completed', creditsUsed: 8 });
  expect(endOf(events.received).response).toBe(textOf(events.received));
  const replayed = await openEvents(home.visit({ cookie: user.cookie }), `/api/messages/${id}/events`);
  await replayed.ended;
  expect(replayed.received).toEqual(events.received);
});

test('without a database a message is refused before the upstream hears of it, and can be sent again', async () => {
  const user = await app.signedIn();
  await ask(user);
  const asked = (await home.gemini.requests()).length;
  const one = draft();
  proxy.down();
  const response = await user.post('/api/messages', one);
  expect(await refusal(response)).toMatchObject({ status: 503, code: 'unavailable' });
  expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await home.gemini.requests()).toHaveLength(asked);
  proxy.up();
  await expect.poll(async () => (await user.get('/api/me')).status).toBe(200);
  expect(await ask(user, one)).toMatchObject({ status: 'completed' });
  expect(await creditsOf(user)).toBe(24);
});

test('a send whose commit was never confirmed is one message, answered and paid once', async () => {
  const user = await app.signedIn();
  const cut = proxy.cutAnswerTo('send_message');
  const sent = await send(user);
  await cut;
  expect(await waitForEnd(user, sent.id)).toMatchObject({ status: 'completed', creditsUsed: 8 });
  expect(await creditsOf(user)).toBe(32);
});

test('an end whose commit was never confirmed is an end', async () => {
  const user = await app.signedIn();
  // Not `send_message(`, which has these letters too.
  const cut = proxy.cutAnswerTo(' end_message(');
  const ended = await ask(user);
  await cut;
  expect(ended).toMatchObject({ status: 'completed', creditsUsed: 8 });
  expect(await creditsOf(user)).toBe(32);
});

test('events whose write was never confirmed are written once', async () => {
  await home.gemini.pace({ ttftMs: 2, gapMs: 1, jitter: 0 });
  const user = await app.signedIn();
  const cut = proxy.cutAnswerTo('insert into message_events');
  const { id } = await send(user, { content: '/emulate long-answer characters=1500' });
  const events = await openEvents(user, `/api/messages/${id}/events`);
  await events.ended;
  await cut;
  const replayed = await openEvents(home.visit({ cookie: user.cookie }), `/api/messages/${id}/events`);
  await replayed.ended;
  expect(replayed.received).toEqual(events.received);
});
