import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Conversation } from '#contract/chat.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask, creditsOf, draft, send, waitForEnd } from '#test/chat/chat.ts';
import type { TestClient } from '#test/client.ts';
import { openEvents } from '#test/events.ts';
import { PATIENT } from '#test/patient.ts';
import { IS_LONG } from '#test/runs.ts';

const QUESTION = 'How do I write a good weekly report?';
const FIRST_WORDS = QUESTION;
const TITLE = 'Write a good weekly report';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ env: { TITLE_MODEL: 'gemini-2.5-flash' } });
});
beforeEach(() => app.gemini.reset());
afterAll(() => app.close());

async function titleOf(user: TestClient, id: string): Promise<string> {
  return ((await (await user.get(`/api/conversations/${id}`)).json()) as Conversation).title;
}

async function titlesAsked(): Promise<number> {
  const asked = await app.gemini.requests();
  return asked.filter(({ body }) => JSON.stringify(body).includes('<question>')).length;
}

async function outcomes(): Promise<number> {
  const { values } = await app.deps.metrics.titles.get();
  return values.reduce((sum, { value }) => sum + value, 0);
}

/** Long enough for a title that must not come. */
const settled = () => sleep(500);

test('a model names a conversation after its first answer, in its language and at no charge', async () => {
  const user = await app.signedIn();
  const { conversationId } = await ask(user, { content: QUESTION });
  await vi.waitFor(async () => expect(await titleOf(user, conversationId)).toBe(TITLE), PATIENT);
  expect(await creditsOf(user)).toBe(32);
  const chinese = await app.signedIn();
  const other = await ask(chinese, { content: '怎样写一份好的周报？' });
  await vi.waitFor(
    async () => expect(await titleOf(chinese, other.conversationId)).toBe('写一份好的周报'),
    PATIENT,
  );
});

test('the title is found by the search, and the list keeps its order', async () => {
  const user = await app.signedIn();
  const { conversationId, timestamp } = await ask(user, { content: QUESTION });
  await vi.waitFor(async () => expect(await titleOf(user, conversationId)).toBe(TITLE), PATIENT);
  const found = (await (await user.get('/api/conversations/search?q=write%20report')).json()) as {
    hits: { where: string; conversation: Conversation }[];
  };
  expect(found.hits[0]).toMatchObject({
    where: 'title',
    conversation: { title: TITLE, updatedAt: timestamp },
  });
});

test('it is written once: a second try and a second question ask for none', async () => {
  const user = await app.signedIn();
  const first = await ask(user, { content: QUESTION });
  const { conversationId } = first;
  await vi.waitFor(async () => expect(await titleOf(user, conversationId)).toBe(TITLE), PATIENT);
  await ask(user, { conversationId, content: 'Something else' });
  await ask(user, { conversationId, parentId: first.id, content: 'And a third thing' });
  await settled();
  expect(await titlesAsked()).toBe(1);
  expect(await titleOf(user, conversationId)).toBe(TITLE);
});

test.runIf(IS_LONG)('a name given by hand stays, also when it is given while the model writes', async () => {
  const user = await app.signedIn();
  await app.gemini.scenario('slow-first-token', { match: '<question>', params: { ms: 1_000 } });
  const { conversationId } = await ask(user, { content: QUESTION });
  await vi.waitFor(async () => expect(await titlesAsked()).toBe(1), PATIENT);
  await user.patch(`/api/conversations/${conversationId}`, { title: 'Mine' });
  await settled();
  await sleep(1_200);
  expect(await titleOf(user, conversationId)).toBe('Mine');

  const sent = await send(user, { content: '/emulate slow-first-token ms=800 Hello' });
  await user.patch(`/api/conversations/${sent.conversationId}`, { title: 'Mine too' });
  await waitForEnd(user, sent.id);
  await settled();
  expect(await titleOf(user, sent.conversationId)).toBe('Mine too');
  expect(await titlesAsked()).toBe(1);
});

test.each(['http-500', 'empty', 'blocked-prompt', 'malformed'] as const)(
  'when the model fails by %s the first words stay, and it is not asked again',
  async (fault) => {
    const user = await app.signedIn();
    await app.gemini.scenario(fault, { match: '<question>' });
    const before = await outcomes();
    const first = await ask(user, { content: QUESTION });
    const { conversationId } = first;
    await vi.waitFor(async () => expect(await outcomes()).toBe(before + 1), PATIENT);
    const asked = await titlesAsked();
    await app.gemini.reset();
    await ask(user, { conversationId, parentId: null, content: QUESTION });
    await settled();
    expect(await titleOf(user, conversationId)).toBe(FIRST_WORDS);
    expect(asked).toBeLessThan(5);
    expect(await titlesAsked()).toBe(0);
  },
);

test('an answer that costs nothing, a temporary conversation and the API bring no title', async () => {
  const user = await app.signedIn();
  const failed = await ask(user, { content: '/emulate blocked-prompt' });
  expect(failed.creditsUsed).toBe(0);
  const temporary = { ...draft({ content: QUESTION }), temporary: true };
  expect((await user.post('/api/messages', temporary)).status).toBe(201);
  await waitForEnd(user, temporary.id);
  await settled();
  expect(await titlesAsked()).toBe(0);
});

test('every open tab gets the title as it comes', async () => {
  const user = await app.signedIn();
  const tab = await openEvents(user, '/api/live');
  const { conversationId } = await ask(user, { content: QUESTION });
  const named = await tab.next(
    ({ event, data }) => event === 'conversation' && (data.conversation as Conversation).title === TITLE,
  );
  expect(named.data.conversation).toMatchObject({ id: conversationId });
  tab.close();
});

test('without the setting no model is asked', async () => {
  const plain = await createTestApp();
  const user = await plain.signedIn();
  const { conversationId } = await ask(user, { content: QUESTION });
  expect(await titleOf(user, conversationId)).toBe(FIRST_WORDS);
  expect(
    (await plain.gemini.requests()).filter(({ body }) => JSON.stringify(body).includes('<question>')),
  ).toEqual([]);
  await plain.close();
});
