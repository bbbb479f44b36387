import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Emulator } from '#emulators/http-server.ts';
import { startOpenaiEmulator } from '#emulators/openai/openai-emulator.ts';
import { apiUser } from '#test/api.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { creditsOf } from '#test/chat/chat.ts';
import { openaiBytes } from '#test/chat/openai-bytes.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { controlEmulator, type EmulatorControl } from '#test/emulator-control.ts';

const ask = {
  model: 'gemini-2.5-flash-lite',
  messages: [{ role: 'user' as const, content: 'What is the capital of France?' }],
};

let folder: string;
let emulator: Emulator;
let upstream: EmulatorControl;
let app: TestApp;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-models-'));
  emulator = await startOpenaiEmulator({ port: 0 });
  upstream = controlEmulator(emulator.url);
  const route = {
    dialect: 'openai-compatible',
    model: 'deepseek-chat',
    baseUrl: `${emulator.url}/v1`,
    keyVariable: 'DEEPSEEK_API_KEY',
    sampling: true,
  };
  const file = join(folder, 'models.json');
  writeFileSync(file, JSON.stringify({ [ask.model]: [route] }));
  app = await createTestApp({
    env: {
      MODELS_FILE: file,
      DEEPSEEK_API_KEY: 'good',
      UPSTREAM_FIRST_TOKEN_TIMEOUT_MS: '3000',
      UPSTREAM_IDLE_TIMEOUT_MS: '1000',
    },
  });
});
beforeEach(() => upstream.reset());
afterAll(async () => {
  await expectNoDrift(app.database.database.sql);
  await app.close();
  await emulator.close();
  rmSync(folder, { recursive: true });
});

test('sampling, seed, stop and limits reach an OpenAI-compatible provider as they came', async () => {
  const { client } = await apiUser(app);
  const sampling = { temperature: 0.3, top_p: 0.8, seed: 5, stop: 'END', max_tokens: 64 };
  const answer = await client.chat.completions.create({ ...ask, ...sampling });
  expect(answer.choices[0]?.message.content?.length).toBeGreaterThan(5);
  expect((await upstream.requests()).at(-1)?.body).toMatchObject({ ...sampling, stop: ['END'] });
});

test('thinking is told apart from the answer', async () => {
  const { client } = await apiUser(app);
  await upstream.scenario('reasoning');
  const answer = await client.chat.completions.create(ask);
  const message = answer.choices[0]?.message as { reasoning_content?: string; content: string };
  expect(message.reasoning_content?.length).toBeGreaterThan(0);
  expect(message.content).not.toContain(message.reasoning_content);
});

const tools = ['get_weather', 'get_time'].map((name) => ({
  type: 'function' as const,
  function: { name, parameters: { type: 'object', properties: { place: { type: 'string' } } }, strict: true },
}));
const asked = { role: 'user' as const, content: 'What is the weather in Paris and Rome?' };

test('calls go out and their results come back as the provider named them', async () => {
  const { client, user } = await apiUser(app);
  const first = await client.chat.completions.create({
    ...ask,
    messages: [asked],
    tools,
    tool_choice: 'required',
  });
  const [choice] = first.choices;
  const calls = (choice?.message.tool_calls ?? []) as OpenAI.ChatCompletionMessageFunctionToolCall[];
  expect(choice?.finish_reason).toBe('tool_calls');
  expect(calls.map((call) => call.function.arguments)).toEqual(['{"place":"Paris"}', '{"place":"Rome"}']);
  expect((await upstream.requests()).at(-1)?.body).toMatchObject({ tools, tool_choice: 'required' });
  if (!choice) throw new Error('no choice');
  const results = calls.map(({ id }, n) => ({
    role: 'tool' as const,
    tool_call_id: id,
    content: `${n} degrees`,
  }));
  const messages = [asked, choice.message, ...results.toReversed()];
  const second = await client.chat.completions.create({ ...ask, messages, tools });
  expect(second.choices[0]?.message.content).toContain('1 degrees');
  const { messages: sent = [] } = ((await upstream.requests()).at(-1)?.body ?? {}) as {
    messages?: { role: string; tool_calls?: { id: string }[]; tool_call_id?: string }[];
  };
  const named = sent[1]?.tool_calls?.map(({ id }) => id) ?? [];
  expect(named).toHaveLength(2);
  expect(named.some((id) => calls.some((call) => call.id === id))).toBe(false);
  expect(sent.slice(2).map((message) => message.tool_call_id)).toEqual(named.toReversed());
  expect(await creditsOf(user)).toBe(24);
});

test('calls longer than any answer are a fault, and free; those that were not offered are left out', async () => {
  const { client, user } = await apiUser(app);
  const piece = {
    tool_calls: [{ index: 0, function: { name: 'get_weather', arguments: ' '.repeat(1_000_000) } }],
  };
  const deltas = [{ content: 'It is warm.' }, ...Array.from({ length: 4 }, () => piece)];
  await upstream.scenario('verbatim', { params: { bytes: openaiBytes(deltas, 'stop') }, times: null });
  const tooLong = client.chat.completions.create({ ...ask, tools });
  await expect(tooLong).rejects.toMatchObject({ status: 502, code: 'upstream_failed' });
  expect(await creditsOf(user)).toBe(40);
  const answer = await client.chat.completions.create(ask);
  expect(answer.choices[0]?.message).toMatchObject({ content: 'It is warm.' });
  expect(answer.choices[0]?.message.tool_calls).toBeUndefined();
  expect(await creditsOf(user)).toBe(32);
});

test('one call at a time, JSON and its schema are asked for in OpenAI’s own words', async () => {
  const { client } = await apiUser(app);
  const schema = { type: 'object', properties: { city: { type: 'string' } } };
  const response_format = { type: 'json_schema' as const, json_schema: { name: 'x', strict: true, schema } };
  const answer = await client.chat.completions.create({ ...ask, messages: [asked], response_format });
  expect(JSON.parse(answer.choices[0]?.message.content ?? '')).toEqual({ city: 'Paris' });
  expect((await upstream.requests()).at(-1)?.body).toMatchObject({ response_format });
  const any = await client.chat.completions.create({ ...ask, response_format: { type: 'json_object' } });
  expect(JSON.parse(any.choices[0]?.message.content ?? '')).toBeTypeOf('object');
  const one = { tools, parallel_tool_calls: false };
  const calling = await client.chat.completions.create({ ...ask, messages: [asked], ...one });
  expect(calling.choices[0]?.message.tool_calls).toHaveLength(1);
  expect((await upstream.requests()).at(-1)?.body).toMatchObject({ parallel_tool_calls: false });
});

test('a model that cannot search says so', async () => {
  const { client } = await apiUser(app);
  const searching = client.chat.completions.create({ ...ask, web_search_options: {} });
  await expect(searching).rejects.toMatchObject({ status: 400, param: 'web_search_options' });
});

test.for([
  ['http-401', 502, 'upstream_failed'],
  ['http-429', 502, 'upstream_failed'],
  ['http-503', 502, 'upstream_failed'],
  ['drop-connection', 502, 'upstream_failed'],
  ['malformed', 502, 'upstream_failed'],
  ['empty', 502, 'upstream_empty'],
  ['blocked-prompt', 400, 'content_filter'],
  ['silent', 504, 'upstream_timeout'],
] as const)('a provider that answers %s is a fault %d, and free', async ([scenario, status, code]) => {
  const { user, client } = await apiUser(app);
  await upstream.scenario(scenario, { times: null });
  for (const stream of [false, true]) {
    const read = async () => {
      const answer = await client.chat.completions.create({ ...ask, stream });
      if (Symbol.asyncIterator in answer) for await (const _ of answer);
    };
    const error = await read().catch((caught: { status?: number; code: string }) => caught);
    expect(error).toMatchObject({ code });
    if (error?.status !== undefined) expect(error).toMatchObject({ status });
  }
  expect(await creditsOf(user)).toBe(40);
});
