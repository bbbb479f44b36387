import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Conversation, ConversationPage, Message, MessagePage, RunningAnswers } from '#contract/chat.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask, refusal, send, waitForEnd } from '#test/chat/chat.ts';
import type { TestClient } from '#test/client.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(async () => {
  await app.close();
});

async function get<T>(user: TestClient, path: string): Promise<T> {
  const response = await user.get(path);
  expect(response.status, path).toBe(200);
  return (await response.json()) as T;
}

/** A conversation of `count` messages by SQL, a second apart; the ids in order. */
async function converse(
  userId: string,
  count: number,
  title = 'Talk',
): Promise<{ id: string; ids: string[] }> {
  const { sql } = app.database.database;
  const id = randomUUID();
  await sql`insert into conversations (id, user_id, title, folded_title, created_at, updated_at)
            values (${id}, ${userId}, ${title}, ${title}, now(), now())`;
  const ids = Array.from({ length: count }, () => randomUUID());
  for (const [index, one] of ids.entries()) {
    await sql`insert into messages (id, user_id, conversation_id, parent_id, model, content, response, status, cost,
                credits_used, owner, end_seq, created_at, ended_at)
              values (${one}, ${userId}, ${id}, ${ids[index - 1] ?? null}, 'parley-flash', ${`prompt ${index}`}, 'yes',
                'completed', 15, 15, ${randomUUID()}, 2, now() + ${index} * interval '1 second', now())`;
  }
  return { id, ids };
}

test('messages come in pages from the newest on, each page oldest first', async () => {
  const user = await app.signedIn();
  const { id, ids } = await converse(user.userId, 7);
  const path = `/api/messages?conversationId=${id}&limit=3`;
  const newest = await get<MessagePage>(user, path);
  expect(newest.messages.map((one) => one.id)).toEqual(ids.slice(4));
  expect(newest.nextCursor).toBe(ids[4]);
  const older = await get<MessagePage>(user, `${path}&before=${newest.nextCursor}`);
  expect(older.messages.map((one) => one.id)).toEqual(ids.slice(1, 4));
  const oldest = await get<MessagePage>(user, `${path}&before=${older.nextCursor}`);
  expect([oldest.messages.map((one) => one.id), oldest.nextCursor]).toEqual([[ids[0]], null]);
  const all = await get<MessagePage>(user, `/api/messages?conversationId=${id}`);
  expect([all.messages.length, all.nextCursor]).toEqual([7, null]);
});

test.each([
  ['', 'conversationId'],
  ['?conversationId=x', 'conversationId'],
  [`?conversationId=${randomUUID()}&limit=0`, 'limit'],
  [`?conversationId=${randomUUID()}&limit=101`, 'limit'],
  [`?conversationId=${randomUUID()}&limit=x`, 'limit'],
  [`?conversationId=${randomUUID()}&before=x`, 'before'],
  [`?conversationId=${randomUUID()}&after=1`, 'after'],
])('GET /api/messages%s is refused by its field', async (query, field) => {
  const user = await app.signedIn();
  expect(await refusal(await user.get(`/api/messages${query}`))).toEqual({
    status: 422,
    code: 'invalid_request',
    params: { field },
  });
});

test('a conversation begins with its first message, titled by its first line', async () => {
  const user = await app.signedIn();
  const message = await ask(user, { content: '旅行计划\n京都三天' });
  const path = `/api/conversations/${message.conversationId}`;
  const conversation = await get<Conversation>(user, path);
  const { timestamp } = message;
  expect(conversation).toEqual({
    id: message.conversationId,
    title: '旅行计划',
    createdAt: timestamp,
    updatedAt: timestamp,
    pinnedAt: null,
    archivedAt: null,
    temporary: false,
  });
  const next = await ask(user, { conversationId: conversation.id, parentId: message.id, content: 'More' });
  expect(await get(user, path)).toEqual({ ...conversation, updatedAt: next.timestamp });
});

test('conversations come newest first, in pages that shift nothing when one moves up', async () => {
  const user = await app.signedIn();
  const made: string[] = [];
  for (let n = 0; n < 5; n += 1) made.unshift((await converse(user.userId, 1, `Talk ${n}`)).id);
  const first = await get<ConversationPage>(user, '/api/conversations?limit=2');
  expect(first.conversations.map(({ id }) => id)).toEqual(made.slice(0, 2));
  await app.database.database.sql`update conversations set updated_at = now() where id = ${made[3] ?? ''}`;
  const second = await get<ConversationPage>(user, `/api/conversations?limit=2&cursor=${first.nextCursor}`);
  expect(second.conversations.map(({ id }) => id)).toEqual([made[2], made[4]]);
  expect(second.nextCursor).toBe(null);
});

test.each(['x', '1_x', `9999999999999999999_${randomUUID()}`])('the cursor %j is refused', async (cursor) => {
  const user = await app.signedIn();
  const response = await user.get(`/api/conversations?cursor=${cursor}`);
  expect(await refusal(response)).toMatchObject({ status: 422, params: { field: 'cursor' } });
});

test('an empty conversation list is a page too', async () => {
  const user = await app.signedIn();
  expect(await get(user, '/api/conversations')).toEqual({ conversations: [], nextCursor: null });
});

test('a message of a page is what the send gave back and the end said', async () => {
  const user = await app.signedIn();
  const message = await ask(user);
  const { messages } = await get<MessagePage>(user, `/api/messages?conversationId=${message.conversationId}`);
  expect(messages).toEqual([message] satisfies Message[]);
});

test('the answers being written are listed with their conversations, to their user alone', async () => {
  const [user, other] = [await app.signedIn(), await app.signedIn()];
  const answered = await ask(user, { content: '/emulate max-tokens done' });
  const running = await send(user, {
    content: '/emulate never-ends',
    conversationId: answered.conversationId,
    parentId: answered.id,
  });
  const list = (client: TestClient) => get<RunningAnswers>(client, '/api/conversations/running');
  expect(await list(user)).toEqual({
    running: [{ id: running.id, conversationId: answered.conversationId }],
  });
  expect(await list(other)).toEqual({ running: [] });
  await user.post(`/api/messages/${running.id}/stop`);
  await waitForEnd(user, running.id);
  expect(await list(user)).toEqual({ running: [] });
});

test('a conversation that is pinned or let go while the list is read stands in it once', async () => {
  const user = await app.signedIn();
  const { id } = await converse(user.userId, 0);
  for (let round = 0; round < 100; round += 1) {
    const [list] = await Promise.all([
      get<ConversationPage>(user, '/api/conversations'),
      user.patch(`/api/conversations/${id}`, { pinned: round % 2 === 0 }),
    ]);
    expect(list.conversations.map((one) => one.id)).toEqual([id]);
  }
});
