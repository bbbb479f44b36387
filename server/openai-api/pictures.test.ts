import type OpenAI from 'openai';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { apiUser, makeKey, openaiClient } from '#test/api.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { creditsOf } from '#test/chat/chat.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { insertSubscription } from '#test/factories.ts';
import { IS_LONG } from '#test/runs.ts';
import { deleteOldAnswers } from './jobs.ts';

const MODEL = 'gemini-3.1-flash-image';
const ask = (over: object = {}) => ({
  model: MODEL,
  messages: [{ role: 'user' as const, content: 'Draw a red bridge' }],
  ...over,
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

/** A subscriber with 40 Credits. */
async function subscriber() {
  const user = await app.signedIn();
  await insertSubscription(app.database.database.sql, user.userId);
  const { key } = await makeKey(user);
  return { user, key, client: openaiClient(app, key) };
}

type Picture = { type: string; index: number; image_url: { url: string } };
const picturesOf = (message: unknown) => (message as { images?: Picture[] } | undefined)?.images ?? [];

async function look({ image_url: { url } }: Picture) {
  const [head, data = ''] = url.split(',');
  const { width, height } = await sharp(Buffer.from(data, 'base64')).metadata();
  return [head, width, height];
}

test('comes as a data URL in the answer, whole and streamed, at its own price', async () => {
  const { user, client } = await subscriber();
  const wish = { modalities: ['image', 'text'], image_config: { aspect_ratio: '16:9', image_size: '1K' } };
  const { data, response } = await client.chat.completions.create(ask(wish) as never).withResponse();
  const whole = data as OpenAI.ChatCompletion;
  const [picture] = picturesOf(whole.choices[0]?.message);
  if (!picture) throw new Error('no picture');
  const [head, width = 0, height = 0] = (await look(picture)) as [string, number, number];
  expect(head).toBe('data:image/png;base64');
  expect(width / height).toBeCloseTo(16 / 9, 1);
  expect(whole.choices[0]?.finish_reason).toBe('stop');
  expect(whole.usage).toMatchObject({ credits_charged: 20 });
  expect(response.headers.get('x-credits-quoted')).toBe('20');
  expect((await app.gemini.requests()).at(-1)?.body).toMatchObject({
    generationConfig: { responseModalities: ['TEXT', 'IMAGE'], imageConfig: { aspectRatio: '16:9' } },
  });

  const options = { ...wish, stream: true, stream_options: { include_usage: true } };
  const stream = await client.chat.completions.create(ask(options) as never);
  const chunks: OpenAI.ChatCompletionChunk[] = [];
  for await (const chunk of stream as unknown as AsyncIterable<OpenAI.ChatCompletionChunk>)
    chunks.push(chunk);
  const streamed = chunks.flatMap((chunk) => picturesOf(chunk.choices[0]?.delta));
  expect(await Promise.all(streamed.map(look))).toEqual([[head, width, height]]);
  expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
  expect(chunks.at(-1)?.usage).toMatchObject({ credits_charged: 20 });
  expect(await creditsOf(user)).toBe(0);
});

test.runIf(IS_LONG)(
  'a repeat under an idempotency key is the same picture, and one without loses it with its answer',
  async () => {
    const { user, client } = await subscriber();
    const headers = { 'idempotency-key': 'one' };
    const first = await client.chat.completions.create(ask(), { headers });
    const files = () => app.database.database.sql`select from files where user_id = ${user.userId}`;
    await client.chat.completions.create(ask());
    expect(await files()).toHaveLength(2);
    await app.database.database
      .sql`update api_requests set created_at = now() - interval '2 hours' where user_id = ${user.userId}`;
    await deleteOldAnswers(app.deps);
    expect(await files()).toHaveLength(1);
    const again = await client.chat.completions.create(ask(), { headers });
    expect(picturesOf(again.choices[0]?.message)).toEqual(picturesOf(first.choices[0]?.message));
    expect(await creditsOf(user)).toBe(0);
  },
);

test('its quote knows how large it is to be', async () => {
  const { key } = await subscriber();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify(ask({ image_config: { image_size: '4K' } }));
  const response = await fetch(`${app.url}/v1/quotes`, { method: 'POST', headers, body });
  expect(await response.json()).toMatchObject({ max: 70, lines: [{ kind: 'picture', max: 70 }] });
});

test.for<[string, object, string]>([
  [
    'a picture of a model that writes',
    { model: 'gemini-2.5-flash-lite', modalities: ['text', 'image'] },
    'modalities',
  ],
  ['its form too', { model: 'gemini-2.5-flash-lite', image_config: { image_size: '1K' } }, 'image_config'],
  ['sound', { modalities: ['text', 'audio'] }, 'modalities.1'],
  ['a size that there is not', { image_config: { image_size: '8K' } }, 'image_config.image_size'],
  [
    'functions of a model that makes pictures',
    { tools: [{ type: 'function', function: { name: 'f' } }] },
    'tools',
  ],
  ['JSON of it', { response_format: { type: 'json_object' } }, 'response_format'],
  ['a search of it', { web_search_options: {} }, 'web_search_options'],
])('%s is refused by its name, and free', async ([, over, param]) => {
  const { user, client } = await subscriber();
  const asked = client.chat.completions.create(ask(over) as never);
  await expect(asked).rejects.toMatchObject({ status: 400, code: 'unsupported_parameter', param });
  expect(await creditsOf(user)).toBe(40);
});

test('the list of models says which make pictures, to those who may use them', async () => {
  const { client } = await subscriber();
  const made = (await client.models.list()).data.filter((model) =>
    (model as never as { output_modalities: string[] }).output_modalities.includes('image'),
  );
  expect(made.map(({ id }) => id)).toEqual([MODEL]);
  const free = await apiUser(app);
  expect((await free.client.models.list()).data.some(({ id }) => id === MODEL)).toBe(false);
});

test('where pictures are switched off, no model makes them, whatever is asked of it', async () => {
  const { key } = await subscriber();
  const other = await createTestApp({ beside: app, env: { PICTURES: 'off' } });
  try {
    const client = openaiClient(other, key);
    const missing = { status: 404, code: 'model_not_found', param: 'model' };
    await expect(client.models.retrieve(MODEL)).rejects.toMatchObject(missing);
    const tools = [{ type: 'function', function: { name: 'f' } }];
    for (const over of [{}, { modalities: ['text', 'image'] }, { tools }])
      await expect(client.chat.completions.create(ask(over) as never)).rejects.toMatchObject(missing);
  } finally {
    await other.close();
  }
});
