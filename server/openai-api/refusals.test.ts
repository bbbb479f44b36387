import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { apiUser, openaiClient } from '#test/api.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { creditsOf } from '#test/chat/chat.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';

const MODEL = 'gemini-2.5-flash-lite';
const ask = (content = 'What is the capital of France?') => ({
  model: MODEL,
  messages: [{ role: 'user' as const, content }],
});

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
beforeEach(() => app.gemini.reset());
afterAll(async () => {
  await expectNoDrift(app.database.database.sql);
  await app.close();
});

test('every fault raises the class of OpenAI’s client that a program expects', async () => {
  const { user, client } = await apiUser(app);
  const fault = async (promise: Promise<unknown>) => {
    const error = await promise.then(
      () => null,
      (caught: unknown) => caught,
    );
    if (!(error instanceof OpenAI.APIError)) throw new Error(`no fault: ${String(error)}`);
    return [error.constructor, error.status, error.code, error.param];
  };
  const create = (over: object) => client.chat.completions.create({ ...ask(), ...over } as never);
  const bad = openaiClient(app, `sk-parley-${'x'.repeat(43)}`);
  expect(await fault(bad.chat.completions.create(ask()))).toEqual([
    OpenAI.AuthenticationError,
    401,
    'invalid_api_key',
    null,
  ]);
  const { BadRequestError, NotFoundError, PermissionDeniedError, RateLimitError } = OpenAI;
  expect(await fault(create({ model: 'gpt-4o' }))).toEqual([NotFoundError, 404, 'model_not_found', 'model']);
  expect(await fault(create({ model: 'parley-pro' }))).toEqual([
    PermissionDeniedError,
    403,
    'model_not_allowed',
    'model',
  ]);
  const unsupported = (param: string) => [BadRequestError, 400, 'unsupported_parameter', param];
  const wrong = (param: string) => [BadRequestError, 400, 'invalid_request', param];
  const old = { name: 'f' };
  expect(await fault(create({ functions: [old] }))).toEqual(unsupported('functions'));
  expect(await fault(create({ response_format: { type: 'grammar' } }))).toEqual(
    unsupported('response_format.type'),
  );
  expect(await fault(create({ logprobs: true }))).toEqual(unsupported('logprobs'));
  expect(await fault(create({ n: 2 }))).toEqual(unsupported('n'));
  expect(await fault(create({ audio: {} }))).toEqual(unsupported('audio'));
  const sound = { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } };
  expect(await fault(create({ messages: [{ role: 'user', content: [sound] }] }))).toEqual(
    unsupported('messages.0.content.0.type'),
  );
  expect(await fault(create({ messages: [{ role: 'function', content: 'x', name: 'f' }] }))).toEqual(
    unsupported('messages.0.role'),
  );
  expect(await fault(create({ temperature: 'hot' }))).toEqual(wrong('temperature'));
  expect(await fault(create({ messages: [] }))).toEqual(wrong('messages'));
  expect(await fault(create({ messages: [{ role: 'user', content: ' ' }] }))).toEqual(
    wrong('messages.0.content'),
  );
  expect(await fault(client.chat.completions.create(ask('字'.repeat(60_000))))).toEqual([
    BadRequestError,
    400,
    'context_length_exceeded',
    'messages',
  ]);
  expect(await creditsOf(user)).toBe(40);
  for (let left = 5; left > 0; left -= 1) await create({});
  expect(await fault(create({}))).toEqual([RateLimitError, 429, 'insufficient_quota', null]);
});

test.for([
  ['http-500', OpenAI.InternalServerError, 502, 'upstream_failed'],
  ['empty', OpenAI.InternalServerError, 502, 'upstream_empty'],
  ['blocked-prompt', OpenAI.BadRequestError, 400, 'content_filter'],
  ['cut-off', OpenAI.InternalServerError, 502, 'upstream_failed'],
] as const)('an upstream that answers %s is a fault, and free', async ([scenario, type, status, code]) => {
  const { user, client } = await apiUser(app);
  await app.gemini.scenario(scenario, { times: null });
  const error = await client.chat.completions.create(ask()).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(type);
  expect(error).toMatchObject({ status, code });
  expect(await creditsOf(user)).toBe(40);
});

test('a stream that breaks midway raises an error, and is free', async () => {
  const { user, client } = await apiUser(app);
  await app.gemini.scenario('mid-stream-error', { times: null });
  const read = async () => {
    let text = '';
    const stream = await client.chat.completions.create({ ...ask(), stream: true });
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    return text;
  };
  await expect(read()).rejects.toMatchObject({ code: 'upstream_failed' });
  expect(await creditsOf(user)).toBe(40);
});

test('pages of every origin may call with a key, and a cookie alone is nobody', async () => {
  const { user, key } = await apiUser(app);
  const preflight = await fetch(`${app.url}/v1/chat/completions`, {
    method: 'OPTIONS',
    headers: { origin: 'https://tool.example', 'access-control-request-headers': 'authorization' },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
  expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
  const called = await fetch(`${app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      origin: 'https://tool.example',
    },
    body: JSON.stringify(ask()),
  });
  expect(called.status).toBe(200);
  expect(called.headers.get('access-control-allow-origin')).toBe('*');
  expect((await user.post('/v1/chat/completions', ask())).status).toBe(401);
});

test('unknown paths, methods and bodies are told in OpenAI’s shape', async () => {
  const { key } = await apiUser(app);
  const told = async (path: string, init: RequestInit) => {
    const response = await fetch(app.url + path, {
      ...init,
      headers: { authorization: `Bearer ${key}`, ...init.headers },
    });
    const { error } = (await response.json()) as { error: { code: string; type: string; message: string } };
    return [response.status, error.code, error.type];
  };
  const type = 'invalid_request_error';
  expect(await told('/v1/embeddings', { method: 'POST' })).toEqual([404, 'not_found', type]);
  expect(await told('/v1/chat/completions', {})).toEqual([405, 'method_not_allowed', type]);
  const form = { method: 'POST', body: 'a=b', headers: { 'content-type': 'text/plain' } };
  expect(await told('/v1/chat/completions', form)).toEqual([415, 'unsupported_media_type', type]);
  const broken = { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } };
  expect(await told('/v1/chat/completions', broken)).toEqual([400, 'invalid_json', type]);
});
