import {
  type Content,
  type GenerateContentParameters,
  type GenerateContentResponse,
  Language,
  Outcome,
  type Part,
} from '@google/genai';
import type OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { modelsFileSchema } from '#server/catalogue/model-routes.ts';
import { geminiBytes } from '#test/chat/gemini-bytes.ts';
import { asking, listen, nothingReceived, openTestUpstream, type TestUpstream } from '#test/chat/upstream.ts';
import { readKept, writeKept } from '../transport/kept-parts.ts';
import { sliceList } from '../transport/slice-json.ts';
import { textTurn } from '../transport/turn-parts.ts';
import type { Turn, TurnPart } from '../transport/upstream.ts';

const FLASH = 'gemini-3.8-flash';
const SIGNED = `sig/${FLASH}/x`;

describe('parts on Gemini’s wire', () => {
  let on: TestUpstream;
  beforeAll(async () => {
    on = await openTestUpstream('gemini');
  });
  beforeEach(() => on.reset());
  afterAll(() => on.close());

  async function answer(events: string[][], last?: object) {
    await on.control.scenario('verbatim', { params: { bytes: geminiBytes(events, last) } });
    const received = nothingReceived();
    return {
      received,
      result: await listen(on.upstream, { ...asking('a'), tools: { search: true } }, received),
    };
  }

  async function lastBody(): Promise<Omit<GenerateContentParameters, 'model'> & { contents: Content[] }> {
    return (await on.control.requests()).at(-1)?.body as never;
  }

  test('are handed over in their order, each as what it is', async () => {
    const parts = [
      { text: 'First ', thought: true },
      { executableCode: { language: Language.PYTHON, code: 'print(1)' } },
      { codeExecutionResult: { outcome: Outcome.OUTCOME_OK, output: '1\n' } },
      { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
      { functionCall: { id: 'c1', name: 'look', args: { place: '上海' } }, thoughtSignature: SIGNED },
      { text: 'It is one.' },
    ] satisfies Part[];
    const { received, result } = await answer(parts.map((part) => [JSON.stringify(part)]));
    expect(received.reasoning).toBe('First ');
    expect(received.text).toBe('It is one.');
    expect(received.parts).toEqual([
      { kind: 'code', language: 'python', code: 'print(1)' },
      { kind: 'output', outcome: 'ok', text: '1\n' },
      { kind: 'picture', type: 'image/png', data: 'AAAA' },
      { kind: 'call', id: 'c1', name: 'look', args: '{"place":"上海"}', signature: SIGNED },
    ]);
    expect(result.finishReason).toBe('stop');
  });

  test('of text and thinking alone leave nothing to keep', async () => {
    const { result } = await answer([['{"text":"a","thought":true}', '{"text":"b"}'], ['{"text":"c"}']]);
    expect(result.kept).toBeNull();
  });

  test('go back to the model that wrote them byte for byte, however they were written', async () => {
    const written = [
      '{"text":"\\u4f60\\u597d","thought":true}',
      '{"text":"你好"}',
      '{ "functionCall" : {"id":"c1","name":"f","args":{"n":12345678901234567890,"x":1.0,"b":[1,{"2":1,"1":2}]}},"thoughtSignature":"sig/gemini-3.8-flash/é" }',
      '{"text":"","thoughtSignature":"sig/gemini-3.8-flash/2"}',
      '{"unheardOf":{"a":"}]\\"{"}}',
      '{"text":"，再见 😀"}',
    ];
    const { result, received } = await answer([written.slice(0, 2), written.slice(2, 5), written.slice(5)]);
    const kept = readKept(result.kept && writeKept(result.kept));
    const call: TurnPart = { kind: 'call', id: 'c1', name: 'f', args: '{}' };
    const turns: Turn[] = [
      textTurn('user', 'a'),
      { role: 'model', parts: [{ kind: 'text', text: received.text }, call], kept },
      { role: 'user', parts: [{ kind: 'result', id: 'c1', name: 'f', output: '{"ok":true}' }] },
    ];
    const bytes = await bytesSent(turns);
    const [, back] = sliceList(bytes, ['contents']);
    const parts = sliceList(back ?? '', ['parts']);
    // Thinking that nothing depends on is written anew.
    expect(parts.slice(1)).toEqual(written.slice(1));
    expect(JSON.parse(parts[0] ?? '')).toEqual(JSON.parse(written[0] ?? ''));
  });

  /** The very bytes of a request: the emulator tells only what they mean. */
  async function bytesSent(turns: Turn[]): Promise<string> {
    const { geminiBody } = await import('./gemini-request.ts');
    const [route] = modelsFileSchema.parse({ m: [{ dialect: 'gemini', model: FLASH }] }).m ?? [];
    if (!route) throw new Error('no route');
    const full = { ...route, baseUrl: '', apiKey: null, missingSetting: null };
    return geminiBody(full, { system: null, turns });
  }

  test('of questions are sent as Google’s own types have them', async () => {
    const turns: Turn[] = [
      {
        role: 'user',
        parts: [
          { kind: 'text', text: 'What is this?' },
          { kind: 'media', type: 'image/png', name: null, data: 'AAAA' },
          { kind: 'media', type: 'application/pdf', name: 'a.pdf', uri: 'https://example.com/files/1' },
        ],
      },
    ];
    const functions = [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }];
    await listen(on.upstream, { system: null, turns, tools: { functions, search: true } }, nothingReceived());
    const contents: Content[] = [
      {
        role: 'user',
        parts: [
          { text: 'What is this?' },
          { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
          { fileData: { mimeType: 'application/pdf', fileUri: 'https://example.com/files/1' } },
        ],
      },
    ];
    expect(await lastBody()).toEqual({
      contents,
      tools: [
        { googleSearch: {} },
        {
          functionDeclarations: [
            { name: 'look', description: 'Looks.', parametersJsonSchema: { type: 'object' } },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: 'AUTO' }, includeServerSideToolInvocations: true },
    });
  });

  test('that Google types as sources stand on the right characters, and are counted by search', async () => {
    const text = '😀 上海的人口约 2,480 万。Tokyo has more.';
    const bytes = (upTo: string) => Buffer.byteLength(text.slice(0, text.indexOf(upTo) + upTo.length));
    const groundingMetadata = {
      webSearchQueries: ['上海 人口', 'tokyo population'],
      groundingChunks: [
        { web: { uri: 'https://a.example/', title: 'A' } },
        { web: { uri: 'https://b.example/', title: 'B' } },
      ],
      groundingSupports: [
        {
          segment: { startIndex: bytes('😀 '), endIndex: bytes('万。'), text: '' },
          groundingChunkIndices: [0],
        },
        {
          segment: { startIndex: bytes('万。'), endIndex: bytes('more.'), text: '' },
          groundingChunkIndices: [1, 7],
        },
        { segment: { startIndex: 3, endIndex: 99_999 }, groundingChunkIndices: [1] },
      ],
      searchEntryPoint: { renderedContent: '<div>x</div>' },
    } satisfies NonNullable<GenerateContentResponse['candidates']>[number]['groundingMetadata'];
    const halves = [text.slice(0, 7), text.slice(7)].map((half) => [JSON.stringify({ text: half })]);
    const { received, result } = await answer(halves, { groundingMetadata });
    expect(result.searches).toBe(2);
    const [part] = received.parts;
    if (part?.kind !== 'sources') throw new Error('no sources');
    expect(
      part.supports.map(({ start, end, sources }) => [received.text.slice(start, end), sources]),
    ).toEqual([
      ['上海的人口约 2,480 万。', [0]],
      ['Tokyo has more.', [1]],
    ]);
    expect(part).toMatchObject({ queries: ['上海 人口', 'tokyo population'], suggestions: '<div>x</div>' });
  });

  test('that the model does not know any more are told in words, and the question is asked again', async () => {
    const kept = {
      dialect: 'gemini',
      model: FLASH,
      lines: ['{"text":"b","thoughtSignature":"sig/gemini-1/x"}'],
    };
    const turns = [textTurn('user', 'a'), { ...textTurn('model', 'b'), kept }, textTurn('user', '你好')];
    const received = nothingReceived();
    await listen(on.upstream, { system: null, turns }, received);
    expect(received.text).not.toBe('');
    expect(await on.control.requests()).toHaveLength(2);
    expect((await lastBody()).contents[1]).toEqual({ role: 'model', parts: [{ text: 'b' }] });
  });

  test('one that says nothing but a call is an answer', async () => {
    const { result, received } = await answer([
      [`{"functionCall":{"id":"c1","name":"f","args":{}},"thoughtSignature":"${SIGNED}"}`],
    ]);
    expect(received.parts).toHaveLength(1);
    expect(result.kept?.lines).toHaveLength(1);
  });
});

describe('parts on OpenAI’s wire', () => {
  let on: TestUpstream;
  beforeAll(async () => {
    on = await openTestUpstream('openai-compatible');
  });
  beforeEach(() => on.reset());
  afterAll(() => on.close());

  type Body = OpenAI.ChatCompletionCreateParamsStreaming;
  type Chunk = OpenAI.ChatCompletionChunk.Choice;

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

  test('calls come in pieces, and go back with all that the provider added to them', async () => {
    const delta = (calls: object[]) => ({
      index: 0,
      delta: { tool_calls: calls as never },
      finish_reason: null,
    });
    const choices: Chunk[] = [
      delta([
        {
          index: 0,
          id: 'c1',
          type: 'function',
          function: { name: 'look', arguments: '' },
          extra_content: { google: { thought_signature: 's' } },
        },
      ]),
      delta([{ index: 0, function: { arguments: '{"place":' } }]),
      delta([{ index: 1, id: 'c2', type: 'function', function: { name: 'go', arguments: '{}' } }]),
      delta([{ index: 0, function: { arguments: '"上海"}' } }]),
      { index: 0, delta: {}, finish_reason: 'tool_calls' },
    ];
    const bytes = choices.map((choice) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`).join('');
    await on.control.scenario('verbatim', { params: { bytes: `${bytes}data: [DONE]\n\n` } });
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
});
