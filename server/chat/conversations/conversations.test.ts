import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Conversation, ConversationPage, DeletedConversation, Message } from '#contract/chat.ts';
import { deleteOldConversations } from '#server/chat/conversations/delete-old-conversations.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask, creditsOf, refusal, send, waitForEnd } from '#test/chat/chat.ts';
import type { TestClient } from '#test/client.ts';
import { openEvents } from '#test/events.ts';

let app: TestApp;
let beside: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  beside = await createTestApp({ beside: app });
});
afterAll(async () => {
  await beside.close();
  await app.close();
});

async function json<T>(response: Response | Promise<Response>): Promise<T> {
  const answered = await response;
  expect(answered.status).toBe(200);
  return (await answered.json()) as T;
}

function patch(client: TestClient, id: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return client.request(`/api/conversations/${id}`, { method: 'PATCH', body: JSON.stringify(body), headers });
}

function remove(client: TestClient, id: string): Promise<Response> {
  return client.request(`/api/conversations/${id}`, { method: 'DELETE' });
}

async function listed(client: TestClient, query = ''): Promise<string[]> {
  const { conversations } = await json<ConversationPage>(client.get(`/api/conversations${query}`));
  return conversations.map(({ id }) => id);
}

/** Empty conversations by SQL, a minute apart; the ids, oldest first. */
async function converse(userId: string, count: number): Promise<string[]> {
  const { sql } = app.database.database;
  const ids = Array.from({ length: count }, () => randomUUID());
  for (const [n, id] of ids.entries()) {
    await sql`insert into conversations (id, user_id, title, folded_title, created_at, updated_at)
              values (${id}, ${userId}, ${`Talk ${n}`}, ${`talk ${n}`}, now(), now() - ${count - n} * interval '1 minute')`;
  }
  return ids;
}

test('a new title is one clean line, and the next message does not change it', async () => {
  const user = await app.signedIn();
  const { conversationId, id } = await ask(user, { content: 'The first prompt' });
  const title = `  旅行\u0000计划\r\n\t 2026 \ud800 `;
  const renamed = await json<Conversation>(patch(user, conversationId, { title }));
  expect(renamed.title).toBe('旅行计划 2026 \ufffd');
  await ask(user, { conversationId, parentId: id, content: 'Another prompt' });
  const read = await json<Conversation>(user.get(`/api/conversations/${conversationId}`));
  expect(read.title).toBe('旅行计划 2026 \ufffd');
});

test.each([
  [{ title: '' }, 'title'],
  [{ title: ' \u200b\u2060\n' }, 'title'],
  [{ title: 'x'.repeat(201) }, 'title'],
  [{ title: 7 }, 'title'],
  [{ pinned: 'yes' }, 'pinned'],
  [{ pinned: true, archived: true }, 'archived'],
  [{ temporary: true }, 'temporary'],
  [{ deleted: true }, 'deleted'],
])('the change %j is refused by its field', async (body, field) => {
  const user = await app.signedIn();
  const [id = ''] = await converse(user.userId, 1);
  expect(await refusal(await patch(user, id, body))).toEqual({
    status: 422,
    code: 'invalid_request',
    params: { field },
  });
  expect((await json<Conversation>(user.get(`/api/conversations/${id}`))).title).toBe('Talk 0');
});

test('a title of 200 characters is taken', async () => {
  const user = await app.signedIn();
  const [id = ''] = await converse(user.userId, 1);
  const title = '潮'.repeat(200);
  expect(await json(patch(user, id, { title }))).toMatchObject({ title });
});

test('what is pinned stands first, last pinned on top, and pages go on behind it', async () => {
  const user = await app.signedIn();
  const made = await converse(user.userId, 6);
  const [a = '', b = '', c = '', d = '', e = '', f = ''] = made;
  await patch(user, a, { pinned: true });
  await patch(user, c, { pinned: true });
  expect(await listed(user)).toEqual([c, a, f, e, d, b]);
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const page: ConversationPage = await json(user.get(`/api/conversations?limit=1${query}`));
    seen.push(...page.conversations.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  expect(seen).toEqual([c, a, f, e, d, b]);
  const first = await json<Conversation>(user.get(`/api/conversations/${a}`));
  expect(await json(patch(user, a, { pinned: true }))).toEqual(first);
  await patch(user, c, { pinned: false });
  expect(await listed(user)).toEqual([a, f, e, d, c, b]);
});

test('the archive is a list of its own; pinning or writing takes a conversation out of it', async () => {
  const user = await app.signedIn();
  const [a = '', b = '', c = ''] = await converse(user.userId, 3);
  await patch(user, a, { pinned: true });
  expect(await json(patch(user, a, { archived: true }))).toMatchObject({ pinnedAt: null });
  await patch(user, b, { archived: true });
  expect([await listed(user), await listed(user, '?archived=true')]).toEqual([[c], [b, a]]);
  expect(await json(patch(user, a, { pinned: true }))).toMatchObject({ archivedAt: null });
  await ask(user, { conversationId: b });
  expect([await listed(user), await listed(user, '?archived=true')]).toEqual([[a, b, c], []]);
});

test('a deleted conversation is nowhere until it is restored', async () => {
  const user = await app.signedIn();
  const message = await ask(user);
  const id = message.conversationId;
  const deleted = await json<DeletedConversation>(remove(user, id));
  expect(deleted.restorableUntil - Date.now()).toBeGreaterThan(240_000);
  expect(await json(remove(user, id))).toEqual(deleted);
  expect(await listed(user)).toEqual([]);
  for (const path of [`/api/conversations/${id}`, `/api/messages?conversationId=${id}`]) {
    expect((await user.get(path)).status, path).toBe(404);
    expect((await user.get(`${path}${path.includes('?') ? '&branch=newest' : ''}`)).status).toBe(404);
  }
  expect((await patch(user, id, { title: 'x' })).status).toBe(404);
  const next = { id: randomUUID(), conversationId: id, parentId: message.id, model: message.modelType };
  expect((await user.post('/api/messages', { ...next, content: 'x' })).status).toBe(404);
  const restored = await json<Conversation>(user.post(`/api/conversations/${id}/restore`));
  expect(restored.title).toBe('What is the capital of France?');
  expect(await listed(user)).toEqual([id]);
  expect(await json(user.post(`/api/conversations/${id}/restore`))).toEqual(restored);
});

test('deleting stops what is being answered at any process, by the rule of a stop', async () => {
  const user = await app.signedIn();
  await app.gemini.pace({ ttftMs: 2, gapMs: 20, jitter: 0 });
  const conversationId = randomUUID();
  const silent = await send(user, { conversationId, content: '/emulate slow-first-token ms=60000' });
  const elsewhere = await send(beside.visit({ cookie: user.cookie }), {
    conversationId,
    content: '/emulate never-ends',
  });
  await expect.poll(() => beside.deps.generation.find(elsewhere.id)?.text).toMatch(/\S/);
  await remove(user, conversationId);
  const ends = await Promise.all([waitForEnd(user, silent.id), waitForEnd(user, elsewhere.id)]);
  expect(ends.map(({ status, creditsUsed }) => [status, creditsUsed])).toEqual([
    ['stopped', 0],
    ['stopped', 8],
  ]);
  expect(await creditsOf(user)).toBe(32);
  await app.gemini.pace();
});

test('when the time for undo is over the conversation is gone for good, and its ledger lines stay', async () => {
  const user = await app.signedIn();
  const { conversationId, id } = await ask(user);
  await ask(user, { conversationId, parentId: id });
  const kept = await ask(user);
  const { sql } = app.database.database;
  await remove(user, conversationId);
  await deleteOldConversations(app.deps);
  expect((await user.post(`/api/conversations/${conversationId}/restore`)).status).toBe(200);
  await remove(user, conversationId);
  await sql`update conversations set deleted_at = now() - interval '6 minutes' where id = ${conversationId}`;
  expect((await user.post(`/api/conversations/${conversationId}/restore`)).status).toBe(404);
  await deleteOldConversations(app.deps);
  const left = await sql`select id from messages where user_id = ${user.userId}`;
  expect(left.map((row) => row.id)).toEqual([kept.id]);
  const { entries } = await json<{ entries: { messageId: string | null }[] }>(
    user.get('/api/credits/entries'),
  );
  expect(entries.filter(({ messageId }) => messageId === id)).toHaveLength(1);
  expect(await creditsOf(user)).toBe(16);
  expect((await remove(user, conversationId)).status).toBe(404);
});

test('a conversation in which an answer still runs is not removed before its end', async () => {
  const user = await app.signedIn();
  const { conversationId, id } = await send(user, { content: '/emulate slow-first-token ms=60000' });
  const { sql } = app.database.database;
  await sql`update conversations set deleted_at = now() - interval '1 hour' where id = ${conversationId}`;
  await deleteOldConversations(app.deps);
  expect(await sql`select id from messages where id = ${id}`).toHaveLength(1);
  await user.post(`/api/messages/${id}/stop`);
  await waitForEnd(user, id);
  await deleteOldConversations(app.deps);
  expect(await sql`select id from messages where id = ${id}`).toHaveLength(0);
});

test('a temporary conversation is in no list, is read by its id, and goes a day after its newest message', async () => {
  const user = await app.signedIn();
  const start = { conversationId: randomUUID(), id: randomUUID(), content: 'A secret', parentId: null };
  const sent = await json<Message>(
    (async () => {
      const body = { ...start, model: 'gemini-2.5-flash-lite', temporary: true };
      expect((await user.post('/api/messages', body)).status).toBe(201);
      return user.post('/api/messages', body);
    })(),
  );
  await waitForEnd(user, sent.id);
  const path = `/api/conversations/${start.conversationId}`;
  expect(await json(user.get(path))).toMatchObject({ temporary: true });
  expect([await listed(user), await listed(user, '?archived=true')]).toEqual([[], []]);
  const tab = await openEvents(user, '/api/live');
  const { sql } = app.database.database;
  await sql`update conversations set updated_at = now() - interval '23 hours' where id = ${start.conversationId}`;
  await deleteOldConversations(app.deps);
  expect((await user.get(path)).status).toBe(200);
  await sql`update conversations set updated_at = now() - interval '25 hours' where id = ${start.conversationId}`;
  await deleteOldConversations(app.deps);
  expect((await user.get(path)).status).toBe(404);
  await tab.next(({ event, data }) => event === 'conversation_deleted' && data.id === start.conversationId);
  tab.close();
  expect(await creditsOf(user)).toBe(32);
});

test('a temporary conversation that is kept is listed from then on', async () => {
  const user = await app.signedIn();
  const body = { id: randomUUID(), conversationId: randomUUID(), parentId: null, content: 'Keep me' };
  await user.post('/api/messages', { ...body, model: 'gemini-2.5-flash-lite', temporary: true });
  await waitForEnd(user, body.id);
  expect(await json(patch(user, body.conversationId, { temporary: false }))).toMatchObject({
    temporary: false,
  });
  expect(await listed(user)).toEqual([body.conversationId]);
});

test('every tab at every process hears of each change', async () => {
  const user = await app.signedIn();
  const [id = ''] = await converse(user.userId, 1);
  const tabs = [
    await openEvents(user, '/api/live'),
    await openEvents(beside.visit({ cookie: user.cookie }), '/api/live'),
  ];
  const changes = [{ title: 'Renamed' }, { pinned: true }, { archived: true }];
  for (const change of changes) {
    const told = await json<Conversation>(patch(user, id, change));
    const matches = ({ event, data }: { event: string; data: object }) =>
      event === 'conversation' && JSON.stringify(data) === JSON.stringify({ conversation: told });
    for (const tab of tabs) await tab.next(matches);
  }
  const deleted = await json(remove(user, id));
  for (const tab of tabs) {
    expect((await tab.next(({ event }) => event === 'conversation_deleted')).data).toEqual(deleted);
  }
  const count = () => tabs.map((tab) => tab.received.filter(({ event }) => event === 'conversation').length);
  expect(count()).toEqual([3, 3]);
  await user.post(`/api/conversations/${id}/restore`);
  await expect.poll(count).toEqual([4, 4]);
  for (const tab of tabs) tab.close();
});
