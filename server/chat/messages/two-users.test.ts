import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Message } from '#contract/chat.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask, draft, send } from '#test/chat/chat.ts';
import type { TestClient } from '#test/client.ts';

let app: TestApp;
let stranger: TestClient;
let ended: Message;
let running: Message;
beforeAll(async () => {
  app = await createTestApp();
  const owner = await app.signedIn();
  stranger = await app.signedIn();
  ended = await ask(owner);
  running = await send(owner, { content: '/emulate slow-first-token ms=60000' });
});
afterAll(async () => {
  await app.close();
});

/** Every way to name another user's message or conversation. */
const ATTEMPTS: [name: string, attempt: (client: TestClient) => Promise<Response>][] = [
  ['follow an ended message', (client) => client.get(`/api/messages/${ended.id}/events`)],
  ['follow a running message', (client) => client.get(`/api/messages/${running.id}/events`)],
  ['look at a message', (client) => client.request(`/api/messages/${ended.id}/events`, { method: 'HEAD' })],
  ['read a message', (client) => client.get(`/api/messages/${ended.id}`)],
  ['stop an ended message', (client) => client.post(`/api/messages/${ended.id}/stop`)],
  ['read a run', (client) => client.get(`/api/messages/${running.id}/computer`)],
  ['act on a run', (client) => client.post(`/api/messages/${running.id}/computer`, { act: 'pause' })],
  ['watch a run', (client) => client.get(`/api/messages/${running.id}/screen`)],
  ['stop a running message', (client) => client.post(`/api/messages/${running.id}/stop`)],
  ['list messages', (client) => client.get(`/api/messages?conversationId=${ended.conversationId}`)],
  [
    'read a branch',
    (client) => client.get(`/api/messages?conversationId=${ended.conversationId}&branch=newest`),
  ],
  [
    'rename a conversation',
    (client) =>
      client.request(`/api/conversations/${ended.conversationId}`, {
        method: 'PATCH',
        body: '{"title":"Mine"}',
        headers: { 'content-type': 'application/json' },
      }),
  ],
  [
    'delete a conversation',
    (client) => client.request(`/api/conversations/${ended.conversationId}`, { method: 'DELETE' }),
  ],
  ['restore a conversation', (client) => client.post(`/api/conversations/${ended.conversationId}/restore`)],
  [
    'export a conversation',
    (client) => client.get(`/api/conversations/${ended.conversationId}/export?format=json`),
  ],
  ['export it as text', (client) => client.get(`/api/conversations/${ended.conversationId}/export`)],
  ['read a conversation', (client) => client.get(`/api/conversations/${ended.conversationId}`)],
  ['send under a taken id', (client) => client.post('/api/messages', draft({ id: ended.id }))],
  [
    'send into a conversation',
    (client) => client.post('/api/messages', draft({ conversationId: ended.conversationId })),
  ],
  [
    'send below a message',
    (client) =>
      client.post('/api/messages', draft({ conversationId: ended.conversationId, parentId: ended.id })),
  ],
  ['send below a message elsewhere', (client) => client.post('/api/messages', draft({ parentId: ended.id }))],
];

test.each(ATTEMPTS)('another user cannot %s', async (_, attempt) => {
  const response = await attempt(stranger);
  expect(response.status).toBe(404);
  expect(await response.text()).not.toContain(ended.content);
});

test.each(ATTEMPTS)('a visitor cannot %s', async (_, attempt) => {
  expect((await attempt(app.visit())).status).toBe(401);
});

test('nothing of the owner has changed', async () => {
  expect(app.deps.generation.find(running.id)?.cut).toBe(null);
  const rows = await app.database.database.sql`
    select id, stop_requested_at from messages where conversation_id = ${ended.conversationId}`;
  expect([...rows]).toEqual([{ id: ended.id, stop_requested_at: null }]);
  const conversations = await app.database.database.sql`
    select title, deleted_at from conversations where id = ${ended.conversationId}`;
  expect([...conversations]).toEqual([{ title: ended.content, deleted_at: null }]);
});

test('the branch through somebody else’s message is not found in one’s own conversation', async () => {
  const own = await ask(stranger);
  const path = `/api/messages?conversationId=${own.conversationId}&branch=`;
  expect((await stranger.get(path + ended.id)).status).toBe(404);
  expect((await stranger.get(`${path}newest&before=${ended.id}`)).status).toBe(404);
  expect(
    (await stranger.get(`/api/conversations/${own.conversationId}/export?branch=${ended.id}`)).status,
  ).toBe(404);
});

test('a page of one’s own conversation cannot be turned to a message of another user', async () => {
  const own = await ask(stranger);
  const response = await stranger.get(
    `/api/messages?conversationId=${own.conversationId}&before=${ended.id}`,
  );
  expect(await response.json()).toEqual({ messages: [], nextCursor: null });
});
