import { randomUUID } from 'node:crypto';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deleteOldAnswers } from '#server/openai-api/jobs.ts';
import { apiUser, makeKey, openaiClient } from '#test/api.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { creditsOf, draft } from '#test/chat/chat.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { insertSubscription } from '#test/factories.ts';

const MODEL = 'gemini-2.5-flash-lite';
const ask = (content = 'What is the capital of France?') => ({
  model: MODEL,
  messages: [{ role: 'user' as const, content }],
});

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ env: { MAX_RUNNING_PER_USER: '60' } });
});
beforeEach(() => app.gemini.reset());
afterAll(async () => {
  await expectNoDrift(app.database.database.sql);
  await app.close();
});

test('OpenAI’s client gets a whole answer, charged once, with usage and what is left', async () => {
  const { user, client } = await apiUser(app);
  const { data, response } = await client.chat.completions.create(ask()).withResponse();
  expect(data.object).toBe('chat.completion');
  expect(data.id).toMatch(/^chatcmpl-[0-9a-f-]{36}$/);
  expect(data.model).toBe(MODEL);
  expect(data.choices[0]?.message.content?.length).toBeGreaterThan(10);
  expect(data.choices[0]?.finish_reason).toBe('stop');
  expect(data.usage?.prompt_tokens).toBeGreaterThan(0);
  expect(data.usage?.total_tokens).toBe(
    (data.usage?.prompt_tokens ?? 0) + (data.usage?.completion_tokens ?? 0),
  );
  expect(data.usage).toMatchObject({ credits_charged: 8 });
  expect(response.headers.get('x-credits-quoted')).toBe('8');
  expect(response.headers.get('x-credits-charged')).toBe('8');
  expect(response.headers.get('x-credits-remaining')).toBe('32');
  expect(response.headers.get('x-ratelimit-limit-requests')).toBe('10000');
  expect(response.headers.get('x-ratelimit-remaining-requests')).toBe('9999');
  expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(await creditsOf(user)).toBe(32);
});

test('a streamed answer is the same text in chunks, with the usage last where it is asked for', async () => {
  const { user, client } = await apiUser(app);
  const whole = await client.chat.completions.create(ask());
  const { data, response } = await client.chat.completions
    .create({ ...ask(), stream: true, stream_options: { include_usage: true } })
    .withResponse();
  const chunks: OpenAI.ChatCompletionChunk[] = [];
  for await (const chunk of data) chunks.push(chunk);
  const text = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');
  expect(text).toBe(whole.choices[0]?.message.content);
  expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant');
  expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
  expect(chunks.at(-1)?.choices).toEqual([]);
  expect(chunks.at(-1)?.usage).toMatchObject({ credits_charged: 8 });
  expect(response.headers.get('x-credits-charged')).toBe('8');
  expect(response.headers.get('x-credits-remaining')).toBe('24');
  expect(await creditsOf(user)).toBe(24);
});

test('a stream without include_usage ends with the finish and the done mark', async () => {
  const { key } = await apiUser(app);
  const response = await post(key, { ...ask(), stream: true });
  const lines = (await response.text()).split('\n\n').filter((line) => line.startsWith('data:'));
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(lines.at(-1)).toBe('data: [DONE]');
  expect(JSON.parse(lines.at(-2)?.slice(6) ?? '')).toMatchObject({
    choices: [{ delta: {}, finish_reason: 'stop' }],
  });
});

test('instructions, turns, text parts and sampling reach the model', async () => {
  const { client } = await apiUser(app);
  await client.chat.completions.create({
    model: MODEL,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'developer', content: [{ type: 'text', text: 'Answer in French.' }] },
      { role: 'user', content: 'Hello' },
      { role: 'user', content: 'there' },
      { role: 'assistant', content: 'Bonjour' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'And ' },
          { type: 'text', text: 'now?' },
        ],
      },
    ],
    max_completion_tokens: 50,
    temperature: 0.5,
    top_p: 0.9,
    stop: ['END'],
    seed: 7,
    n: 1,
    user: 'me',
    tools: [],
    response_format: { type: 'text' },
  });
  const { body } = (await app.gemini.requests()).at(-1) ?? {};
  expect(body).toEqual({
    systemInstruction: { parts: [{ text: 'Be brief.\n\nAnswer in French.' }] },
    contents: [
      { role: 'user', parts: [{ text: 'Hello\n\nthere' }] },
      { role: 'model', parts: [{ text: 'Bonjour' }] },
      { role: 'user', parts: [{ text: 'And now?' }] },
    ],
    generationConfig: { maxOutputTokens: 50, temperature: 0.5, topP: 0.9, stopSequences: ['END'], seed: 7 },
  });
});

test('sampling that a model does not take is named in a header', async () => {
  const { client } = await apiUser(app);
  const { response } = await client.chat.completions
    .create({ ...ask(), model: 'parley-flash', temperature: 0.2 })
    .withResponse();
  expect(response.headers.get('x-ignored-parameters')).toBe('temperature');
});

test('an answer at its limit of tokens says so, also when it is asked for again', async () => {
  const { client } = await apiUser(app);
  await app.gemini.scenario('max-tokens');
  const options = { headers: { 'idempotency-key': randomUUID() } };
  const first = await client.chat.completions.create(ask(), options);
  const again = await client.chat.completions.create(ask(), options);
  expect(first.choices[0]?.finish_reason).toBe('length');
  expect(again).toEqual(first);
});

test('an answer that the filter cut off keeps its text, says so and is free, streamed or not', async () => {
  const { client, user } = await apiUser(app);
  await app.gemini.scenario('blocked-after-text');
  const { data, response } = await client.chat.completions.create(ask()).withResponse();
  expect(data.choices[0]).toMatchObject({ finish_reason: 'content_filter' });
  expect(data.choices[0]?.message.content).toMatch(/\S/);
  expect(response.headers.get('x-credits-charged')).toBe('0');
  await app.gemini.scenario('blocked-after-text');
  const stream = await client.chat.completions.create({ ...ask(), stream: true });
  const reasons = [];
  for await (const chunk of stream) reasons.push(chunk.choices[0]?.finish_reason ?? null);
  expect(reasons.at(-1)).toBe('content_filter');
  expect(await creditsOf(user)).toBe(40);
});

test('models are listed with their prices and rights, and one can be read', async () => {
  const { client } = await apiUser(app, { models: [MODEL] });
  const models = [];
  for await (const model of client.models.list({ query: { all: 'true' } })) models.push(model);
  expect(models.find(({ id }) => id === MODEL)).toMatchObject({
    object: 'model',
    credits_per_request: 8,
    allowed: true,
    plans: ['free', 'basic', 'pro'],
  });
  expect(models.find(({ id }) => id === 'parley-flash')).toMatchObject({ allowed: false });
  expect(models.map(({ id }) => id)).not.toContain('gemini-3.5-pro');
  expect(await client.models.retrieve('parley-pro')).toMatchObject({
    credits_per_request: 20,
    allowed: false,
  });
  await expect(client.models.retrieve('gpt-4o')).rejects.toBeInstanceOf(OpenAI.NotFoundError);
});

test('the statement names the key that spent, also where it was given back', async () => {
  const { user, client, keyId } = await apiUser(app, { name: 'Night job' });
  await client.chat.completions.create(ask());
  await app.gemini.scenario('http-400', { times: null });
  await client.chat.completions.create(ask()).catch(() => {});
  await user.request(`/api/keys/${keyId}`, {
    method: 'PATCH',
    body: '{"name":"Renamed"}',
    headers: { 'content-type': 'application/json' },
  });
  const page = (await (await user.get('/api/credits/entries')).json()) as { entries: object[] };
  expect(page.entries.slice(0, 3)).toMatchObject([
    { kind: 'release', amount: 8, keyName: 'Night job', reason: 'upstream_failed' },
    { kind: 'charge', amount: -8, keyName: 'Night job', reason: 'api' },
    { kind: 'charge', amount: -8, keyName: 'Night job', reason: 'api' },
  ]);
  const csv = await (await user.get('/api/credits/entries.csv')).text();
  expect(csv).toContain('API（通过 Key“Night job”）');
});

test('of 50 requests by web and API at once, a balance for 10 pays exactly 10', async () => {
  const { user, key, client } = await apiUser(app);
  await insertSubscription(app.database.database.sql, user.userId);
  await app.database.database.sql`
    select credit.grant_credits(${user.userId}, 'adjustment', 'test', null, null, 40, null, now() + interval '1 day', 'goodwill', null)`;
  const sends = Array.from({ length: 50 }, (_, index) =>
    index % 2 === 0
      ? user.post('/api/messages', draft()).then((response) => response.status)
      : post(key, { ...ask(), stream: index % 4 === 1 }).then(async (response) => {
          await response.text();
          return response.status;
        }),
  );
  const statuses = await Promise.all(sends);
  expect(statuses.filter((status) => status < 300)).toHaveLength(10);
  expect(new Set(statuses.filter((status) => status >= 300))).toEqual(new Set([402, 429]));
  await expect.poll(() => app.deps.generation.size).toBe(0);
  expect(await creditsOf(user)).toBe(0);
  await expect(client.chat.completions.create(ask())).rejects.toMatchObject({ code: 'insufficient_quota' });
});

test('nothing that was asked is stored, and the answer is erased where nobody can ask again', async () => {
  const { user, client } = await apiUser(app);
  const canary = `canary-${randomUUID()}`;
  await client.chat.completions.create(ask(canary));
  const kept = await client.chat.completions.create(ask(canary), { headers: { 'idempotency-key': 'kept' } });
  const { sql } = app.database.database;
  await sql`update api_requests set created_at = created_at - interval '2 hours' where user_id = ${user.userId}`;
  await deleteOldAnswers(app.deps);
  const rows = await sql<{ content: string; response: string }[]>`
    select content, response from messages where user_id = ${user.userId} order by created_at`;
  expect(rows.map(({ content }) => content)).toEqual(['', '']);
  expect(rows.map(({ response }) => response)).toEqual(['', kept.choices[0]?.message.content]);
  expect(
    await client.chat.completions.create(ask(canary), { headers: { 'idempotency-key': 'kept' } }),
  ).toEqual(kept);
});

test('an exchange of the API is in no conversation of the web', async () => {
  const { user, client } = await apiUser(app);
  await client.chat.completions.create(ask());
  const list = (await (await user.get('/api/conversations')).json()) as { conversations: unknown[] };
  expect(list.conversations).toEqual([]);
});

test('deleting a user takes keys and exchanges along', async () => {
  const { user, client } = await apiUser(app);
  await client.chat.completions.create(ask());
  const { sql } = app.database.database;
  await sql`delete from users where id = ${user.userId}`;
  const left = await sql`
    select id from messages where user_id = ${user.userId} union all select id from api_keys where user_id = ${user.userId}`;
  expect(left).toHaveLength(0);
});

test('what the API page runs is charged to its reader, without a key', async () => {
  const user = await app.signedIn();
  const response = await user.post('/api/completions', ask());
  expect(response.status).toBe(200);
  expect(await creditsOf(user)).toBe(32);
  expect((await app.visit().post('/api/completions', ask())).status).toBe(401);
  const foreign = await user.request('/api/completions', {
    method: 'POST',
    headers: { origin: 'https://evil.example', 'content-type': 'application/json' },
    body: JSON.stringify(ask()),
  });
  expect(foreign.status).toBe(403);
});

test('usage is told by day, model and key, and as CSV', async () => {
  const { user, client } = await apiUser(app, { name: 'One' });
  await client.chat.completions.create(ask());
  await client.chat.completions.create(ask());
  const second = openaiClient(app, (await makeKey(user, { name: '=Two' })).key);
  await second.chat.completions.create(ask());
  const usage = (await (await user.get('/api/keys/usage')).json()) as { rows: object[] };
  const day = new Date().toISOString().slice(0, 10);
  expect(usage.rows).toMatchObject([
    { day, model: MODEL, keyName: '=Two', requests: 1, credits: 8 },
    { day, model: MODEL, keyName: 'One', requests: 2, credits: 16 },
  ]);
  const csv = await (await user.get('/api/keys/usage.csv')).text();
  expect(csv).toContain(`${day},${MODEL},'=Two,1,8\r\n`);
  expect((await user.get('/api/keys/usage?from=2020-01-01&to=2026-01-01')).status).toBe(422);
});

test('a completion is quoted before it is asked, and nothing is charged for that', async () => {
  const { user, client } = await apiUser(app);
  const quote = await client.post('/quotes', { body: ask() });
  expect(quote).toEqual({
    object: 'quote',
    model: MODEL,
    max: 8,
    lines: [{ kind: 'message', max: 8, params: {} }],
  });
  const refused = client.post('/quotes', { body: { ...ask(), model: 'none' } });
  await expect(refused).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
  expect(await creditsOf(user)).toBe(40);
});

test('the description names every path and the schemas that requests are checked with', async () => {
  const response = await fetch(`${app.url}/v1/openapi.json`);
  const openapi = (await response.json()) as {
    servers: unknown;
    paths: object;
    components: { schemas: Record<string, { properties?: object }> };
  };
  expect(openapi.servers).toEqual([{ url: `${app.config.publicUrl}/v1` }]);
  expect(Object.keys(openapi.paths)).toEqual(['/models', '/models/{id}', '/chat/completions', '/quotes']);
  expect(Object.keys(openapi.components.schemas.CompletionRequest?.properties ?? {})).toContain('messages');
});

function post(key: string, body: object) {
  return fetch(`${app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}
