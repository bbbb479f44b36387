import type OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { apiUser, makeKey, openaiClient } from '#test/api.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { creditsOf } from '#test/chat/chat.ts';
import { geminiBytes } from '#test/chat/gemini-bytes.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { insertSubscription } from '#test/factories.ts';

const MODEL = 'gemini-2.5-flash-lite';
const ask = (over: object = {}) => ({
  model: MODEL,
  messages: [{ role: 'user' as const, content: 'When do the leaves turn red?' }],
  ...over,
});
const SEARCHING = { web_search_options: {} };
const TEXT = '红叶🍁在十一月。It is 🍂 late.';
const PLACES = ['红叶🍁在十一月。', 'It is 🍂 late.'];

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
beforeEach(() => app.gemini.reset());
afterAll(async () => {
  await expectNoDrift(app.database.database.sql);
  await app.close();
});

/** The next answers: a text with emoji, and pages behind its sentences; places are in bytes, as Google counts. */
async function found(searches: number, uris = ['https://a.example/red', 'https://b.example/']) {
  const bytesBefore = (place: string) => Buffer.byteLength(TEXT.slice(0, TEXT.indexOf(place)));
  const groundingMetadata = {
    webSearchQueries: Array.from({ length: searches }, (_, n) => `query ${n}`),
    groundingChunks: uris.map((uri) => ({ web: { uri, title: `About ${uri}` } })),
    groundingSupports: PLACES.map((place, index) => ({
      segment: { startIndex: bytesBefore(place), endIndex: bytesBefore(place) + Buffer.byteLength(place) },
      groundingChunkIndices: index === 0 ? [0] : [0, 1],
    })),
  };
  const bytes = geminiBytes([[JSON.stringify({ text: TEXT })]], { groundingMetadata });
  await app.gemini.scenario('verbatim', { params: { bytes }, times: null });
}

async function lastBody() {
  return (await app.gemini.requests()).at(-1)?.body as never as Record<string, unknown> & {
    generationConfig: object;
  };
}

/** What Python makes of a place: it counts characters where JavaScript counts halves of some. */
const slice = (text: string, start: number, end: number) => [...text].slice(start, end).join('');

test('a search names the pages at the very characters that they support, whole and streamed', async () => {
  const { user, client } = await apiUser(app);
  await found(2);
  const { data, response } = await client.chat.completions.create(ask(SEARCHING)).withResponse();
  const { content, annotations } = data.choices[0]?.message ?? {};
  const cited = annotations?.map(({ type, url_citation: { start_index, end_index, url } }) => [
    type,
    slice(content ?? '', start_index, end_index),
    url,
  ]);
  expect(cited).toEqual([
    ['url_citation', PLACES[0], 'https://a.example/red'],
    ['url_citation', PLACES[1], 'https://a.example/red'],
    ['url_citation', PLACES[1], 'https://b.example/'],
  ]);
  expect(annotations?.[0]?.url_citation.title).toBe('About https://a.example/red');
  expect(data.usage).toMatchObject({ credits_charged: 14 });
  expect(response.headers.get('x-credits-quoted')).toBe('23');
  expect(response.headers.get('x-credits-charged')).toBe('14');
  expect(await creditsOf(user)).toBe(26);
  expect(await lastBody()).toMatchObject({ tools: [{ googleSearch: {} }] });

  const options = { ...SEARCHING, stream: true as const, stream_options: { include_usage: true } };
  const chunks: OpenAI.ChatCompletionChunk[] = [];
  for await (const chunk of await client.chat.completions.create({ ...ask(), ...options }))
    chunks.push(chunk);
  const deltas = chunks.map((chunk) => chunk.choices[0]?.delta as { annotations?: unknown } | undefined);
  const at = deltas.findIndex((delta) => delta?.annotations);
  expect(deltas[at]?.annotations).toEqual(annotations);
  expect(chunks[at + 1]?.choices[0]?.finish_reason).toBe('stop');
  expect(chunks.at(-1)?.usage).toMatchObject({ credits_charged: 14 });
  expect(await creditsOf(user)).toBe(12);
});

test('a page that is no page of the web is not named', async () => {
  const { client } = await apiUser(app);
  await found(1, ['javascript:alert(1)', 'data:text/html,x']);
  const answer = await client.chat.completions.create(ask(SEARCHING));
  expect(answer.choices[0]?.message).not.toHaveProperty('annotations');
});

test('a search needs its most at hand, costs nothing where none ran, and its quote says so', async () => {
  const { user, key, client } = await apiUser(app);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify(ask(SEARCHING));
  const quoted = await fetch(`${app.url}/v1/quotes`, { method: 'POST', headers, body });
  expect(await quoted.json()).toMatchObject({
    max: 23,
    lines: [{ kind: 'message' }, { kind: 'search', max: 15 }],
  });
  await found(0);
  await client.chat.completions.create(ask(SEARCHING));
  expect(await creditsOf(user)).toBe(32);
  await client.chat.completions.create(ask());
  await client.chat.completions.create(ask());
  const short = client.chat.completions.create(ask(SEARCHING));
  await expect(short).rejects.toMatchObject({ status: 429, code: 'insufficient_quota' });
  expect(await creditsOf(user)).toBe(16);
});

test('options of a search that nothing comes of are named', async () => {
  const { client } = await apiUser(app);
  const user_location = { type: 'approximate', approximate: { city: 'Kyoto' } };
  const web_search_options = { search_context_size: 'high', user_location };
  const { response } = await client.chat.completions.create(ask({ web_search_options })).withResponse();
  expect(response.headers.get('x-ignored-parameters')).toBe(
    'web_search_options.search_context_size, web_search_options.user_location',
  );
});

test.for([
  ['none', 'LOW'],
  ['minimal', 'LOW'],
  ['low', 'LOW'],
  ['medium', 'MEDIUM'],
  ['high', 'HIGH'],
  ['xhigh', 'HIGH'],
  ['max', 'HIGH'],
] as const)(
  'reasoning_effort %s becomes the nearest that the model has, %s',
  async ([reasoning_effort, level]) => {
    const { user } = await apiUser(app);
    await insertSubscription(app.database.database.sql, user.userId);
    const client = openaiClient(app, (await makeKey(user)).key);
    const answer = await client.chat.completions.create(ask({ model: 'parley-flash', reasoning_effort }));
    expect(answer.choices[0]?.finish_reason).toBe('stop');
    expect((await lastBody()).generationConfig).toMatchObject({ thinkingConfig: { thinkingLevel: level } });
  },
);

test('a model that cannot be told to think takes only that it need not', async () => {
  const { client } = await apiUser(app);
  await client.chat.completions.create(ask({ reasoning_effort: 'none' }));
  expect(await lastBody()).not.toHaveProperty('generationConfig.thinkingConfig');
  const asked = client.chat.completions.create(ask({ reasoning_effort: 'high' }));
  await expect(asked).rejects.toMatchObject({
    status: 400,
    code: 'unsupported_parameter',
    param: 'reasoning_effort',
  });
});

test('JSON is asked for as such, with a schema where there is one', async () => {
  const { client } = await apiUser(app);
  const any = await client.chat.completions.create(ask({ response_format: { type: 'json_object' } }));
  expect(JSON.parse(any.choices[0]?.message.content ?? '')).toBeTypeOf('object');
  expect((await lastBody()).generationConfig).toEqual(
    expect.objectContaining({ responseMimeType: 'application/json' }),
  );
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { month: { type: 'string', enum: ['November'] }, day: { type: 'integer' } },
  };
  const response_format = { type: 'json_schema', json_schema: { name: 'leaves', strict: true, schema } };
  const formed = await client.chat.completions.create(ask({ response_format }));
  expect(JSON.parse(formed.choices[0]?.message.content ?? '')).toEqual({ month: 'November', day: 1 });
  const { $schema: _, ...sent } = schema;
  expect((await lastBody()).generationConfig).toMatchObject({ responseJsonSchema: sent });
});
