import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Message } from '#contract/chat.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { creditsOf, draft, endOf, refusal, textOf, waitForEnd } from '#test/chat.ts';
import { openEvents, readEvents } from '#test/events.ts';
import { expectNoDrift } from '#test/ledger.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  await app.gemini.pace({ ttftMs: 2, gapMs: 1.5, jitter: 0.5 });
});
afterAll(async () => {
  await expectNoDrift(app.database.database.sql);
  await app.close();
});

test('a send that asks for events gets the message, then the events that every follower gets', async () => {
  const user = await app.signedIn();
  const body = draft();
  const events = await openEvents(user, '/api/messages', { body });
  await events.ended;
  const [first, ...answer] = events.received;
  expect(events.response.status).toBe(201);
  expect(events.response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(first).toMatchObject({ id: null, event: 'message' });
  expect(first?.data.message).toMatchObject({ id: body.id, status: 'running', creditsUsed: 0 });
  expect(answer).toEqual(await readEvents(user, `/api/messages/${body.id}/events`));
  expect(endOf(answer)).toMatchObject({ status: 'completed', response: textOf(answer), creditsUsed: 8 });
});

test('a send that asks for events is charged once however often it comes, and is answered anew each time', async () => {
  const user = await app.signedIn();
  const body = draft();
  const all = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const events = await openEvents(user, '/api/messages', { body });
      await events.ended;
      return { status: events.response.status, answer: events.received.slice(1) };
    }),
  );
  const late = await openEvents(user, '/api/messages', { body });
  await late.ended;
  expect(all.map(({ status }) => status).sort()).toEqual([...Array(7).fill(200), 201]);
  expect(late.received[0]?.data.message).toMatchObject({ id: body.id, status: 'completed' });
  for (const { answer } of all) expect(answer).toEqual(late.received.slice(1));
  expect(await creditsOf(user)).toBe(32);
});

test('a sender whose connection breaks resumes without a gap or a repeat', async () => {
  const user = await app.signedIn();
  const body = draft({ content: '/emulate long-answer characters=4000' });
  const events = await openEvents(user, '/api/messages', { body });
  await events.next(({ id }) => id === 5);
  events.close();
  await events.ended;
  const seen = events.received.slice(1);
  const rest = await readEvents(user, `/api/messages/${body.id}/events`, { after: seen.at(-1)?.id ?? 0 });
  const all = [...seen, ...rest];
  expect(all.map(({ id }) => id)).toEqual(all.map((_, index) => index + 1));
  expect(textOf(all)).toBe(endOf(all).response);
});

test('a refusal is an ordinary answer, whatever the sender asked for', async () => {
  const user = await app.signedIn();
  const asked = async (over: Parameters<typeof draft>[0]) =>
    refusal(
      await user.request('/api/messages', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify(draft(over)),
      }),
    );
  expect(await asked({ content: ' ' })).toMatchObject({ code: 'prompt_empty' });
  expect(await asked({ model: 'gemini-3.0-ultra' })).toMatchObject({ status: 404, code: 'not_found' });
  expect(await creditsOf(user)).toBe(40);
});

test.each([
  'application/json',
  '*/*',
  'text/html, application/xhtml+xml, */*;q=0.8',
  'application/json, text/event-stream;q=0.5',
])('a sender that takes %s gets the message alone', async (accept) => {
  const user = await app.signedIn();
  const response = await user.request('/api/messages', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify(draft()),
  });
  expect(response.status).toBe(201);
  const message = (await response.json()) as Message;
  expect(message.status).toBe('running');
  await waitForEnd(user, message.id);
});
