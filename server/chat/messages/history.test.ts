import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Message } from '#contract/chat.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask, send, waitForEnd } from '#test/chat/chat.ts';
import type { TestClient } from '#test/client.ts';
import { readEvents } from '#test/events.ts';
import { insertSubscription } from '#test/factories.ts';
import { selectPath } from '../message-store/store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ env: { MAX_OUTPUT_TOKENS: '1000' } });
});
afterAll(async () => {
  await app.close();
});

interface Asked {
  contents: { role: string; parts: { text: string }[] }[];
}

/** The turns of the request whose prompt is `prompt`, as the upstream received them. */
async function turnsOf(prompt: string): Promise<[string, string][]> {
  const requests = (await app.gemini.requests()).filter(({ path }) => path.includes('streamGenerateContent'));
  const asked = requests.map(({ body }) => body as Asked);
  const found = asked.find(({ contents }) => contents.at(-1)?.parts[0]?.text === prompt);
  return (found?.contents ?? []).map(({ role, parts }) => [role, parts.map(({ text }) => text).join('')]);
}

async function subscriber(): Promise<TestClient> {
  const user = await app.signedIn();
  const { sql } = app.database.database;
  await insertSubscription(sql, user.userId);
  await sql`select credit.grant_credits(${user.userId}, 'subscription', 'test', null, null, 1500, null, now() + interval '1 month', 'subscription', null)`;
  return user;
}

function after(message: Message) {
  return { conversationId: message.conversationId, parentId: message.id };
}

test('the model reads the branch above a prompt, oldest first, and no other', async () => {
  const user = await subscriber();
  const root = await ask(user, { content: 'root' });
  const left = await ask(user, { ...after(root), content: 'left' });
  await ask(user, { ...after(root), content: 'right' });
  await ask(user, { ...after(left), content: 'below left' });
  expect(await turnsOf('below left')).toEqual([
    ['user', 'root'],
    ['model', root.response],
    ['user', 'left'],
    ['model', left.response],
    ['user', 'below left'],
  ]);
});

test('what failed is not told to the model, what was stopped is', async () => {
  const user = await subscriber();
  const root = await ask(user, { content: 'the first' });
  const failed = await ask(user, { ...after(root), content: '/emulate cut-off' });
  expect([failed.status, failed.response === '']).toEqual(['failed', false]);
  await app.gemini.pace({ ttftMs: 2, gapMs: 20, jitter: 0 });
  const running = await send(user, { ...after(failed), content: '/emulate never-ends' });
  await expect.poll(() => app.deps.generation.find(running.id)?.text).toMatch(/\S/);
  await user.post(`/api/messages/${running.id}/stop`);
  await app.gemini.pace();
  const stopped = await waitForEnd(user, running.id);
  await ask(user, { ...after(stopped), content: 'the fourth' });
  expect(await turnsOf('the fourth')).toEqual([
    ['user', 'the first'],
    ['model', root.response],
    ['user', '/emulate never-ends'],
    ['model', stopped.response],
    ['user', 'the fourth'],
  ]);
});

test('what a restart cut off is told to the model as far as it came', async () => {
  const user = await subscriber();
  const cut = await ask(user, { content: 'before the restart' });
  await app.database.database.sql`
    update messages set status = 'interrupted', error_code = 'interrupted', credits_used = 0 where id = ${cut.id}`;
  const next = await ask(user, { ...after(cut), content: 'after the restart' });
  expect(next.contextTrimmed).toBe(false);
  expect(await turnsOf('after the restart')).toEqual([
    ['user', 'before the restart'],
    ['model', cut.response],
    ['user', 'after the restart'],
  ]);
});

test('what was stopped while the model still thought is not told to it, and the conversation goes on', async () => {
  const user = await subscriber();
  const root = await ask(user, { content: 'before thinking' });
  await app.gemini.pace({ ttftMs: 2, gapMs: 50, jitter: 0 });
  const thinking = await send(user, { ...after(root), content: '/emulate reasoning' });
  await expect.poll(() => app.deps.generation.find(thinking.id)?.hasPieces).toBe(true);
  await user.post(`/api/messages/${thinking.id}/stop`);
  await app.gemini.pace();
  const stopped = await waitForEnd(user, thinking.id);
  expect(stopped).toMatchObject({ status: 'stopped', response: '', parts: [{ kind: 'reasoning' }] });
  const next = await ask(user, { ...after(stopped), content: 'after thinking' });
  expect(next).toMatchObject({ status: 'completed', error: null });
  expect(await turnsOf('after thinking')).toEqual([
    ['user', 'before thinking'],
    ['model', root.response],
    ['user', 'after thinking'],
  ]);
});

test('of an answer above a prompt neither thinking nor sources are read', async () => {
  const user = await app.signedIn();
  const { id } = await ask(user, { content: '/emulate reasoning' });
  const { sql } = app.database.database;
  const path = { userId: user.userId, id, maxDepth: 1, maxCharacters: 1_000 };
  const [exchange] = await selectPath(sql, path);
  expect(exchange?.response).not.toBe('');
  expect(exchange?.output?.parts).toEqual([{ kind: 'text', length: exchange?.response.length }]);
});

test('what is too much for the model is left out from the oldest on, and the reader is told', async () => {
  const user = await subscriber();
  let last = await ask(user, { content: `${'潮'.repeat(30_000)}1` });
  const first = last;
  for (const n of [2, 3]) last = await ask(user, { ...after(last), content: `${'潮'.repeat(30_000)}${n}` });
  expect(last.contextTrimmed).toBe(true);
  const prompts = (await turnsOf(last.content)).filter(([role]) => role === 'user');
  expect(prompts.map(([, text]) => text.at(-1))).toEqual(['2', '3']);
  const counted = (await app.gemini.requests()).filter(({ path }) => path.includes('countTokens'));
  expect(counted.length).toBeGreaterThan(0);
  const next = await ask(user, { ...after(first), content: 'short' });
  expect(next.contextTrimmed).toBe(false);
  const events = await readEvents(user, `/api/messages/${last.id}/events`);
  expect(events[0]).toEqual({ id: 1, event: 'notice', data: { code: 'context_trimmed' } });
});

test('what an answer ran is part of its size, also where nothing of its model is kept', async () => {
  const user = await subscriber();
  const root = await ask(user, { content: 'run it' });
  const { sql } = app.database.database;
  const parts = [
    { kind: 'output', outcome: 'ok', text: '潮'.repeat(200_000) },
    { kind: 'text', length: root.response.length },
  ];
  await sql`update messages set output = ${sql.json({ parts })}, kept = null where id = ${root.id}`;
  const next = await ask(user, { ...after(root), content: 'what came out?' });
  expect(next.contextTrimmed).toBe(true);
  expect(await turnsOf('what came out?')).toEqual([['user', 'what came out?']]);
});
