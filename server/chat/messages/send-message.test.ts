import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask, creditsOf, draft, refusal, send, waitForEnd } from '#test/chat/chat.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { insertSubscription } from '#test/factories.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ env: { MAX_RUNNING_PER_USER: '3' } });
});
afterAll(async () => {
  await expectNoDrift(app.database.database.sql);
  await app.close();
});

test('a message is answered and costs what its model costs', async () => {
  const user = await app.signedIn();
  const sent = await send(user, { content: '  Hello\0  ' });
  expect(sent).toMatchObject({
    content: 'Hello',
    response: '',
    status: 'running',
    creditsUsed: 0,
    error: null,
  });
  const ended = await waitForEnd(user, sent.id);
  const modelVersion = 'gemini-2.5-flash-lite';
  const response = expect.stringMatching(/\S/);
  const [usage, firstTextMs, endedAt] = [expect.any(Object), expect.any(Number), expect.any(Number)];
  const details = { usage, finishReason: 'stop', firstTextMs, endedAt };
  const charged = { total: 8, lines: [{ kind: 'message', credits: 8 }] };
  const paid = { status: 'completed', creditsUsed: 8, charged };
  expect(ended).toEqual({ ...sent, ...details, ...paid, modelVersion, response });
  expect(await creditsOf(user)).toBe(32);
});

test('what the upstream counted is stored with the message', async () => {
  const user = await app.signedIn();
  const { id } = await ask(user);
  const [row] = await app.database.database.sql`select usage, upstream_model from messages where id = ${id}`;
  expect(row?.upstream_model).toBe('gemini-2.5-flash-lite');
  expect(row?.usage).toMatchObject({ inputTokens: expect.any(Number), outputTokens: expect.any(Number) });
});

test.each([
  ['', 422],
  ['  \n\t\u3000 ', 422],
  ['\0\0', 422],
])('the empty prompt %j is refused', async (content) => {
  const user = await app.signedIn();
  const response = await user.post('/api/messages', draft({ content }));
  expect(await refusal(response)).toMatchObject({ status: 422, code: 'prompt_empty' });
  expect(await creditsOf(user)).toBe(40);
});

test('a prompt of 32,000 characters is sent, one of 32,001 refused with the limit', async () => {
  const user = await app.signedIn();
  expect(await (await user.get('/api/catalogue')).json()).toMatchObject({ promptLimit: 32_000 });
  const tooLong = await user.post('/api/messages', draft({ content: '字'.repeat(32_001) }));
  expect(await refusal(tooLong)).toEqual({
    status: 413,
    code: 'prompt_too_long',
    params: { limit: 32_000, length: 32_001 },
  });
  expect(await creditsOf(user)).toBe(40);
  expect(await ask(user, { content: '字'.repeat(32_000) })).toMatchObject({ status: 'completed' });
});

test('NUL and lone surrogates in a prompt are cleaned', async () => {
  const user = await app.signedIn();
  const body = JSON.stringify(draft({ content: 'x' })).replace('"x"', '"a\\u0000b\\ud800c"');
  const response = await user.request('/api/messages', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  expect(response.status).toBe(201);
  expect(await response.json()).toMatchObject({ content: 'ab\ufffdc' });
});

test('a message that would cost more than its writer saw is refused, and nothing is held', async () => {
  const user = await app.signedIn();
  const refused = await user.post('/api/messages', { ...draft(), maxCredits: 7 });
  expect(await refusal(refused)).toEqual({ status: 409, code: 'quote_changed', params: { max: 8 } });
  expect(await creditsOf(user)).toBe(40);
  for (const maxCredits of [8, 20]) {
    const sent = { ...draft(), maxCredits };
    expect((await user.post('/api/messages', sent)).status).toBe(201);
    await waitForEnd(user, sent.id);
  }
  expect(await creditsOf(user)).toBe(24);
});

test('an id is the same in capitals', async () => {
  const user = await app.signedIn();
  const one = draft();
  await send(user, one);
  const again = await user.post('/api/messages', { ...one, id: one.id.toUpperCase() });
  expect(again.status).toBe(200);
});

test.each([
  [{ id: 'x' }, 'id'],
  [{ conversationId: null }, 'conversationId'],
  [{ parentId: 7 }, 'parentId'],
  [{ model: '' }, 'model'],
  [{ content: ['x'] }, 'content'],
  [{ cost: 0 }, 'cost'],
  [{ cost: -8 }, 'cost'],
  [{ creditsUsed: 0 }, 'creditsUsed'],
  [{ maxCredits: -8 }, 'maxCredits'],
  [{ content: undefined }, 'content'],
])('the body %j is refused by its field', async (over, field) => {
  const user = await app.signedIn();
  const response = await user.post('/api/messages', { ...draft(), ...over });
  expect(await refusal(response)).toEqual({ status: 422, code: 'invalid_request', params: { field } });
});

test('a visitor cannot send', async () => {
  const response = await app.visit().post('/api/messages', draft());
  expect(await refusal(response)).toMatchObject({ status: 401, code: 'unauthenticated' });
});

test.each([
  ['no-such-model', 404, 'not_found'],
  ['embedding', 404, 'not_found'],
  ['gemini-2.5-pro', 403, 'model_not_allowed'],
  ['gemini-3.5-pro', 403, 'model_not_allowed'],
])('on Free the model %s is refused', async (model, status, code) => {
  const user = await app.signedIn();
  expect(await refusal(await user.post('/api/messages', draft({ model })))).toMatchObject({ status, code });
  expect(await creditsOf(user)).toBe(40);
});

test('a subscription opens its models, and no more once it has expired', async () => {
  const user = await app.signedIn();
  const { sql } = app.database.database;
  await insertSubscription(sql, user.userId, { planKey: 'gemini_pro' });
  expect(await ask(user, { model: 'gemini-2.5-pro' })).toMatchObject({
    status: 'completed',
    creditsUsed: 12,
  });
  await insertSubscription(sql, user.userId, { expiresAt: new Date(Date.now() - 1000) });
  const response = await user.post('/api/messages', draft({ model: 'gemini-2.5-pro' }));
  expect(await refusal(response)).toMatchObject({ code: 'model_not_allowed' });
});

test('too few credits are refused with both numbers, and nothing is left behind', async () => {
  const user = await app.signedIn();
  const conversationId = randomUUID();
  for (let left = 2; left > 0; left -= 1) await ask(user, { model: 'parley-flash' });
  const response = await user.post('/api/messages', draft({ model: 'parley-flash', conversationId }));
  expect(await refusal(response)).toEqual({
    status: 402,
    code: 'insufficient_credits',
    params: { needed: 15, balance: 10 },
  });
  expect((await user.get(`/api/conversations/${conversationId}`)).status).toBe(404);
});

test('a message goes on from an ended one of the same conversation only', async () => {
  const user = await app.signedIn();
  const first = await ask(user);
  const parent = { conversationId: first.conversationId, parentId: first.id };
  expect(await ask(user, parent)).toMatchObject({ ...parent, status: 'completed' });
  const elsewhere = await user.post('/api/messages', draft({ parentId: first.id }));
  expect(await refusal(elsewhere)).toMatchObject({ status: 404, code: 'not_found' });
  const nowhere = await user.post('/api/messages', draft({ ...parent, parentId: randomUUID() }));
  expect(await refusal(nowhere)).toMatchObject({ status: 404, code: 'not_found' });
});

test('a message that still runs has no answer to go on from', async () => {
  const user = await app.signedIn();
  const first = await send(user, { content: '/emulate slow-first-token ms=60000' });
  const response = await user.post(
    '/api/messages',
    draft({ conversationId: first.conversationId, parentId: first.id }),
  );
  expect(await refusal(response)).toMatchObject({ status: 409, code: 'parent_still_running' });
});

test('editing the first prompt makes a sibling in the same conversation', async () => {
  const user = await app.signedIn();
  const first = await ask(user, { content: 'One' });
  const second = await ask(user, { content: 'Two', conversationId: first.conversationId });
  const page = await user.get(`/api/messages?conversationId=${first.conversationId}`);
  const { messages } = (await page.json()) as { messages: { id: string; parentId: null }[] };
  expect(messages.map(({ id, parentId }) => [id, parentId])).toEqual([
    [first.id, null],
    [second.id, null],
  ]);
});

test('a fourth answer at once is refused where three may run', async () => {
  const user = await app.signedIn();
  const { sql } = app.database.database;
  await insertSubscription(sql, user.userId);
  for (let left = 3; left > 0; left -= 1) await send(user, { content: '/emulate slow-first-token ms=60000' });
  const response = await user.post('/api/messages', draft());
  expect(await refusal(response)).toMatchObject({ status: 429, code: 'too_many_running' });
  expect(await creditsOf(user)).toBe(16);
});

test('the upstream hears nothing of a message that was refused', async () => {
  const user = await app.signedIn();
  const content = `never sent ${randomUUID()}`;
  await user.post('/api/messages', draft({ content, model: 'gemini-2.5-pro' }));
  const requests = await app.gemini.requests();
  expect(requests.filter(({ body }) => JSON.stringify(body ?? '').includes(content))).toEqual([]);
});
