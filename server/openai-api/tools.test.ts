import { randomUUID } from 'node:crypto';
import type OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiUser } from '#test/api.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { creditsOf } from '#test/chat/chat.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';

type Message = OpenAI.ChatCompletionMessageParam;
type Call = OpenAI.ChatCompletionMessageFunctionToolCall;

const MODEL = 'gemini-2.5-flash-lite';
const WEATHER: OpenAI.ChatCompletionTool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: '天气 of a place',
    parameters: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { place: { type: 'string' }, unit: { type: 'string', enum: ['c', 'f'] } },
      required: ['place'],
      additionalProperties: false,
    },
  },
};
const TIME: OpenAI.ChatCompletionTool = { type: 'function', function: { name: 'get_time' } };
const ASKED: Message = { role: 'user', content: 'What is the weather in Paris and Rome?' };
const ask = (over: object = {}) => ({ model: MODEL, messages: [ASKED], tools: [WEATHER, TIME], ...over });

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
beforeEach(() => app.gemini.reset());
afterAll(async () => {
  await expectNoDrift(app.database.database.sql);
  await app.close();
});

async function lastBody() {
  return (await app.gemini.requests()).at(-1)?.body as never as {
    contents: { role: string; parts: Record<string, unknown>[] }[];
    tools: { functionDeclarations: { name: string; parametersJsonSchema?: object }[] }[];
    toolConfig: { functionCallingConfig: object };
  };
}

function callsOf(completion: OpenAI.ChatCompletion): Call[] {
  return (completion.choices[0]?.message.tool_calls ?? []) as Call[];
}

function answering(calls: readonly Call[], output = '{"degrees":21}'): Message[] {
  return calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: output }));
}

/** A streamed answer put together as OpenAI's documentation says, and its chunks. */
async function streamed(client: OpenAI, over: object = {}) {
  const chunks: OpenAI.ChatCompletionChunk[] = [];
  const stream = await client.chat.completions.create({ ...ask(over), stream: true } as never);
  for await (const chunk of stream as unknown as AsyncIterable<OpenAI.ChatCompletionChunk>)
    chunks.push(chunk);
  const calls: { id: string; name: string; arguments: string }[] = [];
  for (const { index, id, function: piece } of chunks.flatMap(
    (chunk) => chunk.choices[0]?.delta.tool_calls ?? [],
  )) {
    calls[index] ??= { id: id ?? '', name: piece?.name ?? '', arguments: '' };
    calls[index].arguments += piece?.arguments ?? '';
  }
  return { chunks, calls, finish: chunks.findLast((chunk) => chunk.choices[0])?.choices[0]?.finish_reason };
}

describe('functions of the caller', () => {
  test('are called at once, answered, and spoken of, each step charged as an answer', async () => {
    const { user, client } = await apiUser(app);
    const first = await client.chat.completions.create(ask());
    const [choice] = first.choices;
    expect(choice).toMatchObject({
      finish_reason: 'tool_calls',
      message: { content: null, role: 'assistant' },
    });
    const calls = callsOf(first);
    expect(calls.map((call) => JSON.parse(call.function.arguments))).toEqual([
      { place: 'Paris', unit: 'c' },
      { place: 'Rome', unit: 'c' },
    ]);
    expect(calls.map((call) => [call.type, call.function.name])).toEqual([
      ['function', 'get_weather'],
      ['function', 'get_weather'],
    ]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    for (const { id } of calls) expect(id).toMatch(/^call_[\w-]{24}$/);
    expect(first.usage).toMatchObject({ credits_charged: 8 });
    expect(await creditsOf(user)).toBe(32);
    if (!choice) throw new Error('no choice');
    const messages = [ASKED, choice.message, ...answering(calls)];
    const second = await client.chat.completions.create(ask({ messages }));
    expect(second.choices[0]?.finish_reason).toBe('stop');
    expect(second.choices[0]?.message.content).toContain('degrees');
    expect(await creditsOf(user)).toBe(24);
  });

  test('go to the model with their schemas, and the choice among them', async () => {
    const { client } = await apiUser(app);
    await client.chat.completions.create(
      ask({ tool_choice: { type: 'function', function: { name: 'get_time' } } }),
    );
    const body = await lastBody();
    const [{ functionDeclarations: [weather, time] = [] } = {}] = body.tools;
    expect(weather).toMatchObject({ name: 'get_weather', description: '天气 of a place' });
    expect(weather?.parametersJsonSchema).not.toHaveProperty('$schema');
    expect(weather?.parametersJsonSchema).toMatchObject({ required: ['place'], additionalProperties: false });
    expect(time).toEqual({ name: 'get_time', description: '' });
    expect(body.toolConfig.functionCallingConfig).toEqual({
      mode: 'ANY',
      allowedFunctionNames: ['get_time'],
    });
  });

  test.for([
    ['none', 0],
    ['auto', 2],
    ['required', 2],
  ] as const)('are chosen by tool_choice %s', async ([tool_choice, count]) => {
    const { client } = await apiUser(app);
    expect(callsOf(await client.chat.completions.create(ask({ tool_choice })))).toHaveLength(count);
  });

  test('are narrowed to those that are allowed', async () => {
    const { client } = await apiUser(app);
    const tools = [{ type: 'function', function: { name: 'get_time' } }];
    const tool_choice = { type: 'allowed_tools', allowed_tools: { mode: 'required', tools } };
    const answer = await client.chat.completions.create(ask({ tool_choice }));
    expect(new Set(callsOf(answer).map((call) => call.function.name))).toEqual(new Set(['get_time']));
    expect((await lastBody()).tools[0]?.functionDeclarations.map(({ name }) => name)).toEqual(['get_time']);
  });

  test('are called one at a time where that is asked for, and the round trip holds', async () => {
    const { client } = await apiUser(app);
    const first = await client.chat.completions.create(ask({ parallel_tool_calls: false }));
    const calls = callsOf(first);
    expect(calls).toHaveLength(1);
    const messages = [ASKED, { role: 'assistant', tool_calls: calls }, ...answering(calls)];
    await client.chat.completions.create(ask({ messages }));
    const parts = (await lastBody()).contents[1]?.parts.filter((part) => part.functionCall);
    expect(parts).toHaveLength(1);
  });

  test('are streamed as OpenAI streams them: name first, then the arguments in pieces', async () => {
    const { client } = await apiUser(app);
    const places = Array.from({ length: 60 }, (_, n) => `place ${n} 🏙️`);
    const long = { type: 'object', properties: { list: { const: places } } };
    const tools = [{ type: 'function', function: { name: 'get_weather', parameters: long } }];
    const { chunks, calls, finish } = await streamed(client, {
      tools,
      stream_options: { include_usage: true },
    });
    expect(finish).toBe('tool_calls');
    expect(calls.map((call) => JSON.parse(call.arguments))).toEqual([{ list: places }, { list: places }]);
    const deltas = chunks.flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? []);
    expect(deltas.length).toBeGreaterThan(6);
    expect(deltas[0]).toMatchObject({
      index: 0,
      type: 'function',
      function: { name: 'get_weather', arguments: '' },
    });
    expect(deltas.every(({ function: piece }) => (piece?.arguments ?? '').isWellFormed())).toBe(true);
    expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant');
    expect(chunks.at(-1)?.usage).toMatchObject({ credits_charged: 8 });
  });

  test('called after words come behind them, streamed and whole', async () => {
    const { client } = await apiUser(app);
    const messages = [{ role: 'user', content: '/emulate calls words=1 weather in Paris?' }];
    const whole = await client.chat.completions.create(ask({ messages }));
    expect(whole.choices[0]?.message.content).toContain('🔎');
    expect(callsOf(whole)).toHaveLength(1);
    const { chunks, calls } = await streamed(client, { messages });
    expect(calls).toHaveLength(1);
    const kinds = chunks.map((chunk) => Object.keys(chunk.choices[0]?.delta ?? {}).at(-1));
    expect(kinds.indexOf('tool_calls')).toBeGreaterThan(kinds.lastIndexOf('content'));
  });
});

describe('what a model signed', () => {
  async function roundTrip(over: (calls: Call[], text: string | null) => Message[], words = 0) {
    const { client } = await apiUser(app);
    const asked: Message = {
      role: 'user',
      content: `/emulate calls words=${words} weather in Paris and Rome`,
    };
    const first = await client.chat.completions.create(ask({ messages: [asked] }));
    const messages = [asked, ...over(callsOf(first), first.choices[0]?.message.content ?? null)];
    await client.chat.completions.create(ask({ messages }));
    return (await lastBody()).contents.slice(1).map(({ parts }) => parts);
  }
  const signatures = (parts: Record<string, unknown>[] = []) =>
    parts.filter((part) => part.functionCall).map((part) => part.thoughtSignature);

  test.for([0, 1])('comes back with its calls, though no client carries it (words: %d)', async (words) => {
    const [calls, results] = await roundTrip(
      (made, content) => [{ role: 'assistant', content, tool_calls: made }, ...answering(made)],
      words,
    );
    expect(signatures(calls)).toEqual([expect.stringMatching(`^sig/${MODEL}/`), undefined]);
    const ids = calls?.flatMap((part) => (part.functionCall as { id: string } | undefined)?.id ?? []);
    expect(results?.map((part) => (part.functionResponse as { id: string }).id)).toEqual(ids);
    expect(ids?.[0]).not.toMatch(/^call_/);
  });

  test('comes back also where the client writes the arguments anew, and in the other order', async () => {
    const [calls] = await roundTrip((made) => {
      const again = made.map((call) => {
        const { place, unit } = JSON.parse(call.function.arguments);
        return {
          ...call,
          function: { ...call.function, arguments: JSON.stringify({ unit, place }, null, 2) },
        };
      });
      return [{ role: 'assistant', content: '', tool_calls: again }, ...answering(made).toReversed()];
    });
    expect(signatures(calls)).toEqual([expect.stringMatching(`^sig/${MODEL}/`), undefined]);
  });

  test.for([
    [
      'arguments',
      (call: Call) => ({ ...call, function: { ...call.function, arguments: '{"place":"Oslo"}' } }),
    ],
    ['name', (call: Call) => ({ ...call, function: { ...call.function, name: 'get_time' } })],
    ['id', (call: Call) => ({ ...call, id: `x${call.id}` })],
  ] as const)('does not come back with calls whose %s the caller has changed', async ([, change]) => {
    const [calls] = await roundTrip((made) => {
      const changed = made.map(change);
      return [{ role: 'assistant', tool_calls: changed }, ...answering(changed)];
    });
    expect(signatures(calls)).toEqual(Array(2).fill('skip_thought_signature_validator'));
  });

  test('does not come back to another user, who is answered all the same', async () => {
    const [mine, other] = [await apiUser(app), await apiUser(app)];
    const first = await mine.client.chat.completions.create(ask());
    const message = first.choices[0]?.message;
    if (!message) throw new Error('no message');
    const messages = [ASKED, message, ...answering(callsOf(first))];
    for (const { client } of [other, mine]) {
      const answer = await client.chat.completions.create(ask({ messages }));
      expect(answer.choices[0]?.finish_reason).toBe('stop');
    }
    const [theirs, ours] = (await app.gemini.requests()).slice(-2).map(({ body }) => JSON.stringify(body));
    expect(theirs).not.toContain('sig/');
    expect(ours).toContain('sig/');
  });

  test('does not come back once the answer is erased', async () => {
    const { client } = await apiUser(app);
    const first = await client.chat.completions.create(ask());
    await app.database.database
      .sql`update messages set response = '', output = null, kept = null, erased_at = now()
      where conversation_id is null and status = 'completed'`;
    const message = first.choices[0]?.message;
    if (!message) throw new Error('no message');
    await client.chat.completions.create(ask({ messages: [ASKED, message, ...answering(callsOf(first))] }));
    expect(JSON.stringify(await lastBody())).toContain('skip_thought_signature_validator');
  });
});

describe('one key, one request', () => {
  test('a repeat under an idempotency key has the same calls, streamed or not', async () => {
    const { user, client } = await apiUser(app);
    const headers = { 'idempotency-key': randomUUID() };
    const first = await client.chat.completions.create(ask(), { headers });
    const again = await client.chat.completions.create(ask(), { headers });
    expect(callsOf(again)).toEqual(callsOf(first));
    const stream = await client.chat.completions.create({ ...ask(), stream: true }, { headers });
    const ids: string[] = [];
    for await (const chunk of stream)
      for (const { id } of chunk.choices[0]?.delta.tool_calls ?? []) if (id) ids.push(id);
    expect(ids).toEqual(callsOf(first).map(({ id }) => id));
    const other = client.chat.completions.create(ask({ tools: [WEATHER] }), { headers });
    await expect(other).rejects.toMatchObject({ status: 409, code: 'idempotency_key_reused' });
    expect(await creditsOf(user)).toBe(32);
  });
});
