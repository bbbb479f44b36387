import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ApiModel } from '#contract/openai.ts';
import { apiUser } from '#test/api.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { creditsOf } from '#test/chat/chat.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';

// As huggingface/chat-ui (`endpointOai.ts`) and ChatGPTNextWeb/NextChat (`platforms/openai.ts`) write their calls: both begin with
// the first model of the list, here as a user without a plan.
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
beforeEach(() => app.gemini.reset());
afterAll(async () => {
  await expectNoDrift(app.database.database.sql);
  await app.close();
});

test('chat-ui begins with the first model of the list, and a free user gets its answer, streamed and charged once', async () => {
  const { user, key } = await apiUser(app);
  const listed = await fetch(`${app.url}/v1/models`, { headers: { Authorization: `Bearer ${key}` } });
  const { data } = (await listed.json()) as { data: ApiModel[] };
  const [first] = data;
  if (!first) throw new Error('no model is listed');
  const client = new OpenAI({ apiKey: key, baseURL: `${app.url}/v1` });
  const before = await creditsOf(user);
  const answer = async (messages: OpenAI.ChatCompletionMessageParam[], maxTokens?: number) => {
    const stream = await client.chat.completions.create(
      {
        model: first.id,
        messages,
        stream: true,
        ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
      },
      { headers: { 'ChatUI-Conversation-ID': '65f0c0ffee0000000000c0de', 'X-use-cache': 'false' } },
    );
    const pieces: string[] = [];
    let finish: string | null = null;
    for await (const { choices } of stream) {
      pieces.push(choices[0]?.delta.content ?? '');
      finish = choices[0]?.finish_reason ?? finish;
    }
    expect(finish).toBe('stop');
    return pieces.join('');
  };
  // It sends an instruction always, an empty one where there is none.
  const turns: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: '' },
    { role: 'user', content: '给我一份跑步计划' },
  ];
  const said = await answer(turns);
  expect(await creditsOf(user)).toBe(before - first.credits_per_request);
  turns.push({ role: 'assistant', content: said }, { role: 'user', content: '再短一点' });
  expect(said).not.toBe('');
  expect(await answer(turns, 512)).not.toBe('');
  expect(await creditsOf(user)).toBe(before - 2 * first.credits_per_request);
});

test('NextChat, which sends every sampling parameter, gets the first model of the list to answer a free user', async () => {
  const { user, key } = await apiUser(app);
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json',
    Authorization: `Bearer ${key}`,
  };
  const listed = await fetch(`${app.url}/v1/models`, { headers });
  const { data } = (await listed.json()) as { data: ApiModel[] };
  const [first] = data;
  if (!first) throw new Error('no model is listed');
  const before = await creditsOf(user);
  const response = await fetch(`${app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { ...headers, Origin: 'https://nextchat.example' },
    body: JSON.stringify({
      messages: [
        { role: 'system', content: '\nYou are ChatGPT, a large language model trained by OpenAI.\n' },
        { role: 'user', content: '给我一份跑步计划' },
      ],
      stream: true,
      model: first.id,
      temperature: 0.5,
      presence_penalty: 0,
      frequency_penalty: 0,
      top_p: 1,
    }),
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  const events = (await response.text()).split('\n\n').map((event) => event.replace(/^data: /, ''));
  const end = events.indexOf('[DONE]');
  const chunks = events.slice(0, end).map((event) => JSON.parse(event) as OpenAI.ChatCompletionChunk);
  const pieces = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').filter((piece) => piece !== '');
  expect(pieces.join('')).not.toBe('');
  expect(chunks.map(({ choices }) => choices[0]?.finish_reason).filter(Boolean)).toEqual(['stop']);
  expect(await creditsOf(user)).toBe(before - first.credits_per_request);
});
