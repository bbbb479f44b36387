import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Message } from '#contract/chat.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask, creditsOf, endOf, refusal, send, textOf } from '#test/chat/chat.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { openEvents } from '#test/events.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  await app.gemini.pace({ ttftMs: 2, gapMs: 20, jitter: 0 });
});
afterAll(async () => {
  await expectNoDrift(app.database.database.sql);
  await app.close();
});

/** Waits until the upstream saw us go, for a prompt that contains `mark`. */
async function abortSeen(mark: string): Promise<void> {
  for (;;) {
    const found = (await app.gemini.requests()).find(({ body }) => JSON.stringify(body).includes(mark));
    if (found?.abortedAt) return;
  }
}

test('stopped before the first token an answer costs nothing, and the upstream hears of it', async () => {
  const user = await app.signedIn();
  const mark = randomUUID();
  const { id } = await send(user, { content: `/emulate slow-first-token ms=60000 ${mark}` });
  const response = await user.post(`/api/messages/${id}/stop`);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    status: 'stopped',
    creditsUsed: 0,
    response: '',
    error: null,
  });
  await abortSeen(mark);
  expect(await creditsOf(user)).toBe(40);
});

test('stopped after the first token an answer costs its price and keeps what was said', async () => {
  const user = await app.signedIn();
  const mark = randomUUID();
  const { id } = await send(user, { content: `/emulate never-ends ${mark}` });
  const events = await openEvents(user, `/api/messages/${id}/events`);
  await events.next(({ event }) => event === 'text');
  const response = await user.post(`/api/messages/${id}/stop`);
  expect(response.status).toBe(200);
  const stopped = (await response.json()) as Message;
  expect(stopped).toMatchObject({ status: 'stopped', creditsUsed: 8, error: null });
  await events.ended;
  expect(endOf(events.received)).toEqual(stopped);
  expect(textOf(events.received)).toBe(stopped.response);
  await abortSeen(mark);
  expect(await creditsOf(user)).toBe(32);
});

test('thinking alone is no token of an answer', async () => {
  const user = await app.signedIn();
  const { id } = await send(user, { content: '/emulate reasoning' });
  const events = await openEvents(user, `/api/messages/${id}/events`);
  await events.next(({ event }) => event === 'reasoning');
  const response = await user.post(`/api/messages/${id}/stop`);
  expect(await response.json()).toMatchObject({ status: 'stopped', creditsUsed: 0, response: '' });
  events.close();
});

test('stopping again, or what has ended, changes nothing', async () => {
  const user = await app.signedIn();
  const { id } = await send(user, { content: '/emulate slow-first-token ms=60000' });
  const [one, two] = await Promise.all([
    user.post(`/api/messages/${id}/stop`),
    user.post(`/api/messages/${id}/stop`),
  ]);
  const stopped = await one.json();
  expect([one.status, two.status, await two.json()]).toEqual([200, 200, stopped]);
  const ended = await ask(user);
  const late = await user.post(`/api/messages/${ended.id}/stop`);
  expect([late.status, await late.json()]).toEqual([200, ended]);
});

test('a message that does not exist, or has no id at all, cannot be stopped', async () => {
  const user = await app.signedIn();
  for (const id of [randomUUID(), 'x', '%00']) {
    const response = await user.post(`/api/messages/${id}/stop`);
    expect(await refusal(response)).toMatchObject({ status: 404, code: 'not_found' });
  }
});

test('a closed tab is not a stop', async () => {
  const user = await app.signedIn();
  const { id } = await send(user);
  const events = await openEvents(user, `/api/messages/${id}/events`);
  await events.next(({ event }) => event === 'text');
  events.close();
  await events.ended;
  const again = await openEvents(user, `/api/messages/${id}/events`);
  await again.ended;
  expect(endOf(again.received)).toMatchObject({
    status: 'completed',
    creditsUsed: 8,
    response: textOf(again.received),
  });
});
