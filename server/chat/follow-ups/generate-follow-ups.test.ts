import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Message } from '#contract/chat.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask, creditsOf, draft, send, waitForEnd } from '#test/chat/chat.ts';
import type { TestClient } from '#test/client.ts';
import { openEvents } from '#test/events.ts';
import { PATIENT } from '#test/patient.ts';

/** The model whose message earns enough for questions after it. */
const FLASH = 'parley-flash';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ env: { FOLLOW_UP_MODEL: 'gemini-2.5-flash-lite' } });
});
beforeEach(() => app.gemini.reset());
afterAll(() => app.close());

async function read(user: TestClient, id: string): Promise<Message> {
  return (await user.get(`/api/messages/${id}`)).json() as Promise<Message>;
}

async function questionsAsked(): Promise<number> {
  const asked = await app.gemini.requests();
  return asked.filter(({ body }) => JSON.stringify(body).includes('<answer>')).length;
}

async function outcomes(outcome: string): Promise<number> {
  const { values } = await app.deps.metrics.followUps.get();
  return values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
}

test('after an answer three questions come over the live channel, in its language, for nothing, and stay with it', async () => {
  const user = await app.signedIn();
  const tab = await openEvents(user, '/api/live');
  const { id, conversationId } = await ask(user, { model: FLASH, content: '怎样写一份好的周报？' });
  const news = await tab.next(
    ({ event, data }) => event === 'message' && (data.message as Message).followUps !== undefined,
  );
  tab.close();
  const message = await read(user, id);
  expect(news.data.message).toEqual(message);
  expect(message.followUps).toEqual([
    '能举一个具体的例子吗？',
    expect.stringContaining('怎样写一份好的周报'),
    '接下来第一步该做什么？',
  ]);
  expect(await creditsOf(user)).toBe(25);
  const exported = await user.get(`/api/conversations/${conversationId}/export?format=json`);
  expect(((await exported.json()) as { messages: Message[] }).messages[0]?.followUps).toEqual(
    message.followUps,
  );
  const markdown = await user.get(`/api/conversations/${conversationId}/export?format=md`);
  expect(await markdown.text()).not.toContain('接下来第一步');
});

test('when the conversation goes on the model is stopped, and nothing is stored', async () => {
  const user = await app.signedIn();
  await app.gemini.scenario('slow-first-token', { match: '<answer>', params: { ms: 60_000 } });
  const before = await outcomes('cancelled');
  const first = await ask(user, { model: FLASH, content: 'Write a short poem about autumn' });
  await vi.waitFor(async () => expect(await questionsAsked()).toBe(1), PATIENT);
  const { conversationId } = first;
  await send(user, { conversationId, parentId: first.id, content: 'And one about winter' });
  await vi.waitFor(async () => expect(await outcomes('cancelled')).toBe(before + 1), PATIENT);
  expect(await read(user, first.id)).not.toHaveProperty('followUps');
});

test('questions that come when another process has sent the next message are not stored', async () => {
  const user = await app.signedIn();
  await app.gemini.scenario('slow-first-token', { match: '<answer>', params: { ms: 500 } });
  const first = await ask(user, { model: FLASH, content: 'Write a short poem about autumn' });
  await vi.waitFor(async () => expect(await questionsAsked()).toBe(1), PATIENT);
  const { sql } = app.database.database;
  await sql`insert into messages (id, user_id, conversation_id, parent_id, model, content, response, status, cost,
              credits_used, owner, end_seq, created_at, ended_at, depth, chain_id)
            select gen_random_uuid(), user_id, conversation_id, id, model, 'next', 'yes', 'completed', 8, 8, owner, 2,
                   now(), now(), depth + 1, chain_id
              from messages where id = ${first.id}`;
  const written = await outcomes('written');
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(await outcomes('written')).toBe(written);
  expect(await read(user, first.id)).not.toHaveProperty('followUps');
});

test.each(['http-500', 'empty', 'blocked-prompt', 'malformed'] as const)(
  'when the model fails by %s the answer has none, and is charged as it was',
  async (fault) => {
    const user = await app.signedIn();
    await app.gemini.scenario(fault, { match: '<answer>' });
    const failed = await outcomes('failed');
    const { id } = await ask(user, { model: FLASH });
    await vi.waitFor(async () => expect(await outcomes('failed')).toBe(failed + 1), PATIENT);
    expect(await read(user, id)).not.toHaveProperty('followUps');
    expect(await creditsOf(user)).toBe(25);
  },
);

test('no model is asked after a free answer, one that was cut off, a cheap one, the API’s and a temporary one’s', async () => {
  const user = await app.signedIn();
  const tooDear = await outcomes('too_dear');
  await ask(user, { content: 'What is the capital of France?' });
  expect(await outcomes('too_dear')).toBe(tooDear + 1);
  await ask(user, { model: FLASH, content: '/emulate blocked-prompt' });
  await ask(user, { model: FLASH, content: '/emulate max-tokens Write a short poem' });
  const other = await app.signedIn();
  const temporary = { ...draft({ model: FLASH }), temporary: true };
  expect((await other.post('/api/messages', temporary)).status).toBe(201);
  await waitForEnd(other, temporary.id);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(await questionsAsked()).toBe(0);
});
