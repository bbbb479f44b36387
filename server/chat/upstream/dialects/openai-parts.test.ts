import type OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { modelsFileSchema } from '#server/catalogue/upstream-chains.ts';
import { openaiBytes } from '#test/chat/openai-bytes.ts';
import {
  asking,
  listen,
  nothingReceived,
  openTestUpstream,
  type TestUpstream,
  textTurn,
} from '#test/chat/upstream.ts';
import { IS_LONG } from '#test/runs.ts';
import type { Turn, TurnPart } from '../transport/upstream.ts';

describe('parts on OpenAI’s wire', () => {
  let on: TestUpstream;
  beforeAll(async () => {
    on = await openTestUpstream('openai-compatible');
  });
  beforeEach(() => on.reset());
  afterAll(() => on.close());

  type Body = OpenAI.ChatCompletionCreateParamsStreaming;

  function open(fields: object) {
    const route = {
      dialect: 'openai-compatible',
      model: 'qwen-plus',
      baseUrl: `${on.emulatorUrl}/v1`,
      ...fields,
    };
    return on.open({ modelsFile: modelsFileSchema.parse({ m: [{ keyVariable: 'TEST_KEY', ...route }] }) });
  }

  async function sentMessages(): Promise<Body['messages']> {
    const sent = (await on.control.requests()).at(-1);
    return (sent?.body as { messages?: Body['messages'] } | undefined)?.messages ?? [];
  }

  const picture: TurnPart = { kind: 'media', type: 'image/png', name: 'a.png', data: 'AAAA', detail: 'low' };
  const pdf: TurnPart = { kind: 'media', type: 'application/pdf', name: 'a.pdf', data: 'BBBB' };
  const looking: Turn = { role: 'user', parts: [{ kind: 'text', text: '看' }, picture, pdf] };

  test('of questions are sent as OpenAI’s own types have them, where the route’s model reads them', async () => {
    const upstream = open({ reads: ['images', 'files'] });
    await listen(upstream, { system: null, turns: [looking] }, nothingReceived());
    const messages: Body['messages'] = [
      {
        role: 'user',
        content: [
          { type: 'text', text: '看' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } },
          { type: 'file', file: { file_data: 'data:application/pdf;base64,BBBB', filename: 'a.pdf' } },
        ],
      },
    ];
    expect(await sentMessages()).toEqual(messages);
  });

  test('of questions are named in words to a model that cannot read them', async () => {
    await listen(on.upstream, { system: null, turns: [looking] }, nothingReceived());
    expect(JSON.stringify(await sentMessages())).toContain('[image: a.png]');
    expect(JSON.stringify(await sentMessages())).not.toContain('AAAA');
  });

  test('how much to think is said where the route takes it', async () => {
    for (const efforts of [['low', 'high'], []]) {
      await listen(open({ efforts }), { ...asking('a'), effort: 'high' }, nothingReceived());
      await listen(open({ efforts }), { ...asking('a'), effort: 'medium' }, nothingReceived());
    }
    const bodies = (await on.control.requests()).map(({ body }) => body as Partial<Body>);
    expect(bodies.map((body) => body.reasoning_effort)).toEqual(['high', undefined, undefined, undefined]);
  });

  test('calls come in pieces, and go back with all that the provider added to them', async () => {
    const calls = (...pieces: object[]) => ({ tool_calls: pieces });
    const deltas = [
      calls({
        index: 0,
        id: 'c1',
        type: 'function',
        function: { name: 'look', arguments: '' },
        extra_content: { google: { thought_signature: 's' } },
      }),
      calls({ index: 0, function: { arguments: '{"place":' } }),
      calls({ index: 1, id: 'c2', type: 'function', function: { name: 'go', arguments: '{}' } }),
      calls({ index: 0, function: { arguments: '"上海"}' } }),
    ];
    await on.control.scenario('verbatim', { params: { bytes: openaiBytes(deltas, 'tool_calls') } });
    const functions = [{ name: 'look' }, { name: 'go' }];
    const received = nothingReceived();
    const result = await listen(
      on.upstream,
      { ...asking('a'), tools: { functions, choice: 'required' } },
      received,
    );
    expect((await on.control.requests())[0]?.body).toMatchObject({
      tools: [
        { type: 'function', function: { name: 'look' } },
        { type: 'function', function: { name: 'go' } },
      ],
      tool_choice: 'required',
    });
    expect(received.parts).toEqual([
      { kind: 'call', id: 'c1', name: 'look', args: '{"place":"上海"}' },
      { kind: 'call', id: 'c2', name: 'go', args: '{}' },
    ]);
    const turns: Turn[] = [
      textTurn('user', 'a'),
      { role: 'model', parts: received.parts as TurnPart[], kept: result.kept },
      {
        role: 'user',
        parts: ['look', 'go'].map((name, n) => ({ kind: 'result', id: `c${n + 1}`, name, output: '{}' })),
      },
    ];
    await listen(on.upstream, { system: null, turns }, nothingReceived());
    const [, assistant, first, second] = await sentMessages();
    expect(assistant).toMatchObject({
      content: null,
      tool_calls: [
        {
          id: 'c1',
          function: { arguments: '{"place":"上海"}' },
          extra_content: { google: { thought_signature: 's' } },
        },
        { id: 'c2', type: 'function', function: { name: 'go', arguments: '{}' } },
      ],
    });
    expect([first, second]).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: '{}' },
      { role: 'tool', tool_call_id: 'c2', content: '{}' },
    ]);
  });

  test.runIf(IS_LONG)(
    'calls are given up where they and what was said become longer than any answer',
    async () => {
      const call = (args: string, more = {}) => ({
        tool_calls: [{ index: 0, function: { name: 'look', arguments: args }, ...more }],
      });
      const long = ' '.repeat(900_000);
      const five = [1, 2, 3, 4, 5];
      const request = { ...asking('a'), tools: { functions: [{ name: 'look' }] } };
      const answer = async (deltas: object[], end?: string) => {
        await on.control.scenario('verbatim', { params: { bytes: openaiBytes(deltas, end) } });
        return listen(on.upstream, request, nothingReceived());
      };
      const tooLong = { kind: 'parse', message: 'the answer is longer than any model writes' };
      await expect(answer(five.map(() => call(long)))).rejects.toMatchObject(tooLong);
      await expect(
        answer([...five.slice(2).map(() => ({ content: long })), call(long), call(long)]),
      ).rejects.toMatchObject(tooLong);
      const others = five.map((n) => call('', { [`extra_${n}`]: { [long]: n } }));
      await expect(answer(others)).rejects.toMatchObject(tooLong);
      const again = five.map(() => call('', { id: long }));
      await expect(answer(again, 'tool_calls')).resolves.toMatchObject({ finishReason: 'stop' });
    },
  );
});
