import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MessagePage } from '#contract/chat.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { endOf, send, waitForEnd } from '#test/chat/chat.ts';
import { readEvents } from '#test/events.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(async () => {
  await app.close();
});

test('a message tells its price at once, and at its end when it ended, its tokens and its first text', async () => {
  const user = await app.signedIn();
  await app.gemini.pace({ ttftMs: 60, gapMs: 5, jitter: 0 });
  const sent = await send(user);
  expect(sent).toMatchObject({ cost: 8, creditsUsed: 0, usage: null, firstTextMs: null, endedAt: null });
  const ended = await waitForEnd(user, sent.id);
  await app.gemini.pace();
  expect(ended).toMatchObject({ cost: 8, creditsUsed: 8, upstreamSwitched: false });
  expect(ended.usage?.outputTokens).toBeGreaterThan(0);
  expect(ended.firstTextMs).toBeGreaterThanOrEqual(50);
  expect(ended.endedAt ?? 0).toBeGreaterThanOrEqual(ended.timestamp + (ended.firstTextMs ?? 0));
});

test('a stop before the first text has no first text', async () => {
  const user = await app.signedIn();
  const { id } = await send(user, { content: '/emulate slow-first-token ms=60000' });
  await user.post(`/api/messages/${id}/stop`);
  expect(await waitForEnd(user, id)).toMatchObject({ cost: 8, creditsUsed: 0, firstTextMs: null });
});

test('that another route answered is told while it runs and kept afterwards', async () => {
  const user = await app.signedIn();
  await app.gemini.scenario('http-404', { match: 'the other one', times: 1 });
  const sent = await send(user, { content: 'the other one' });
  const events = await readEvents(user, `/api/messages/${sent.id}/events`);
  expect(events[0]).toEqual({ id: 1, event: 'notice', data: { code: 'upstream_switched' } });
  expect(endOf(events)).toMatchObject({ upstreamSwitched: true, modelVersion: 'gemini-3.5-flash-lite' });
  const page = await user.get(`/api/messages?conversationId=${sent.conversationId}`);
  expect(((await page.json()) as MessagePage).messages).toEqual([endOf(events)]);
});
