import { randomBytes, randomUUID } from 'node:crypto';
import {
  type Content,
  type GenerateContentConfig,
  type GenerateContentParameters,
  type GenerateContentResponse,
  Language,
  Outcome,
  type Part,
} from '@google/genai';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { modelsFileSchema } from '#server/catalogue/upstream-chains.ts';
import { cleanText } from '#server/platform/clean-text.ts';
import { heldFile } from '#test/chat/files.ts';
import { geminiBytes } from '#test/chat/gemini-bytes.ts';
import {
  asking,
  listen,
  nothingReceived,
  openTestUpstream,
  type TestUpstream,
  textTurn,
} from '#test/chat/upstream.ts';
import { runs } from '#test/runs.ts';
import { FileGiver } from '../media/give-files.ts';
import { nameFiles, readableKept, readKept, writeKept } from '../transport/kept-parts.ts';
import { sliceList } from '../transport/slice-json.ts';
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
    const tools = { search: true, functions: [{ name: 'f' }] };
    return {
      received,
      result: await listen(on.upstream, { ...asking('a'), tools }, received),
    };
  }

  type Body = Omit<GenerateContentParameters, 'model'> &
    Pick<GenerateContentConfig, 'tools' | 'toolConfig'> & { contents: Content[] };

  async function lastBody(): Promise<Body> {
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
      { kind: 'picture', n: 0, data: Buffer.from([0, 0, 0]) },
      { kind: 'call', id: 'c1', name: 'look', args: '{"place":"上海"}', signature: SIGNED },
    ]);
    expect(result.finishReason).toBe('stop');
  });

  test('nested deeper than can be written again are no answer', async () => {
    const args = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const call = `{"functionCall":{"name":"f","args":{"x":${args}}}}`;
    await expect(answer([[call]])).rejects.toMatchObject({ kind: 'parse' });
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

  test('that hold what no text may hold go back byte for byte too', async () => {
    const written = [
      '{"text":"a\\u0000b"}',
      '{"text":"\\ud83d"}',
      '{"text":"\\u0000","thoughtSignature":"sig/gemini-3.8-flash/1"}',
      '{"text":"c"}',
    ];
    const { result, received } = await answer(written.map((part) => [part]));
    // What is shown and stored has no NUL.
    const said = cleanText(received.text);
    expect(said).toBe('ab\ufffdc');
    const turns: Turn[] = [
      textTurn('user', 'a'),
      { role: 'model', parts: [{ kind: 'text', text: said }], kept: result.kept },
      textTurn('user', 'b'),
    ];
    const [, back] = sliceList(await bytesSent(turns), ['contents']);
    expect(sliceList(back ?? '', ['parts'])).toEqual(written);
  });

  test('with pictures go back byte for byte, each picture from its file, to no other model', async () => {
    const [one, two] = [randomBytes(3_000), randomBytes(40)];
    const picture = (data: Buffer) =>
      `"inlineData" : { "data":"${data.toString('base64')}", "mimeType": "image/png" }`;
    const written = [
      '{"text":"看"}',
      `{ ${picture(one)},"thoughtSignature":"${SIGNED}\\u00e9", "n":12345678901234567890 }`,
      `{"thoughtSignature":"${SIGNED}" , ${picture(two)}}`,
      '{"text":"。"}',
    ];
    const draft = `{"thought":true,${picture(randomBytes(50))}}`;
    const { result, received } = await answer([
      [...written.slice(0, 1), draft],
      written.slice(1, 3),
      written.slice(3),
    ]);
    expect(
      received.parts.map(
        (part) => part.kind === 'picture' && [part.n, part.data.equals([one, two][part.n] ?? one)],
      ),
    ).toEqual([
      [0, true],
      [1, true],
    ]);
    const ids = [randomUUID(), randomUUID()];
    const stored = writeKept(nameFiles(result.kept, ids) ?? { dialect: '', model: '', lines: [] });
    expect(stored.length).toBeLessThan(700);
    expect(readableKept(stored)).not.toContain('thoughtSignature');
    const files = [one, two].map((data, n): TurnPart => {
      const { part } = heldFile({ name: `${n}.png`, type: 'image/png', data });
      return { ...part, fileId: ids[n] ?? '' };
    });
    const turns: Turn[] = [
      textTurn('user', 'a'),
      { role: 'model', parts: [{ kind: 'text', text: received.text }, ...files], kept: readKept(stored) },
      textTurn('user', 'b'),
    ];
    const never = new AbortController().signal;
    const giver = new FileGiver('v1beta');
    const { turns: given } = await giver.give(routeOf(FLASH), turns, never);
    const [, back] = sliceList(await bytesSent(given), ['contents']);
    expect(sliceList(back ?? '', ['parts'])).toEqual(written);
    const other = await giver.give(routeOf('another'), turns, never);
    expect(other.turns.map(({ parts }) => parts.map(({ kind }) => kind))).toEqual([
      ['text'],
      ['text', 'text', 'text'],
      ['text', 'media', 'text', 'media', 'text'],
    ]);
    expect(await bytesSent(other.turns)).not.toContain('thoughtSignature');
  });

  test.each([
    ['in other Base64', () => 'AAAB=='],
    ['with escapes', () => 'AA\\/B'],
  ])('with a picture written %s are not kept, because its bytes would not come back', async (_, data) => {
    const part = `{"inlineData":{"mimeType":"image/png","data":"${data()}"},"thoughtSignature":"${SIGNED}"}`;
    const { result } = await answer([[part]]);
    expect(result.kept).toBeNull();
  });

  test('are cut out of their JSON as they stand in it', () => {
    fc.assert(
      fc.property(fc.array(fc.json()), fc.json(), (parts, other) => {
        const json = `{"a":${other}, "b" : [ ${parts.join(' ,')} ],"c":${other}}`;
        expect(sliceList(json, ['b'])).toEqual(parts);
      }),
      { numRuns: runs(300) },
    );
  });

  function routeOf(model: string) {
    const [route] = modelsFileSchema.parse({ m: [{ dialect: 'gemini', model }] }).m ?? [];
    if (!route) throw new Error('no route');
    return { ...route, baseUrl: '', apiKey: null, missingSetting: null, prices: [] };
  }

  /** The very bytes of a request: the emulator tells only what they mean. */
  async function bytesSent(turns: Turn[]): Promise<string> {
    const { geminiBody } = await import('./gemini-request.ts');
    return geminiBody(routeOf(FLASH), { system: null, turns });
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

  test('calls of Google’s own tools are shown to no one, and go back as they came, beside functions and code', async () => {
    const functions = [{ name: 'look', description: '', parameters: { type: 'object' } }];
    const tools = { search: true, addresses: true, code: true, functions };
    const written = [
      `{"toolCall":{"id":"t1","toolType":"GOOGLE_SEARCH_WEB","args":{"queries":["上海"]}},"thoughtSignature":"${SIGNED}"}`,
      '{"toolResponse":{"id":"t1","toolType":"GOOGLE_SEARCH_WEB","response":{"n":12345678901234567890}}}',
      `{"toolCall":{"id":"t2","toolType":"URL_CONTEXT","args":{"urls":["https://a.example/"]}},"thoughtSignature":"${SIGNED}"}`,
      '{"toolResponse":{"id":"t2","toolType":"URL_CONTEXT","response":{}}}',
      `{"executableCode":{"language":"PYTHON","code":"print(1)"},"thoughtSignature":"${SIGNED}"}`,
      '{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1\\n"}}',
      `{"functionCall":{"id":"c1","name":"look","args":{}},"thoughtSignature":"${SIGNED}"}`,
    ];
    const bytes = geminiBytes([written.slice(0, 3), written.slice(3)]);
    await on.control.scenario('verbatim', { params: { bytes } });
    const received = nothingReceived();
    const { kept } = await listen(on.upstream, { ...asking('a'), tools }, received);
    expect(received.parts.map(({ kind }) => kind)).toEqual(['code', 'output', 'call']);
    const sent = await lastBody();
    expect(sent.tools?.slice(0, 3)).toEqual([
      { googleSearch: {} },
      { urlContext: {} },
      { codeExecution: {} },
    ]);
    expect(sent.toolConfig).toMatchObject({ includeServerSideToolInvocations: true });
    const turns: Turn[] = [
      textTurn('user', 'a'),
      { role: 'model', parts: received.parts as TurnPart[], kept: readKept(kept && writeKept(kept)) },
      { role: 'user', parts: [{ kind: 'result', id: 'c1', name: 'look', output: '{"ok":true}' }] },
    ];
    const [, back] = sliceList(await bytesSent(turns), ['contents']);
    expect(sliceList(back ?? '', ['parts'])).toEqual(written);
    // The emulator takes them back, as Google does.
    await listen(on.upstream, { system: null, turns, tools }, nothingReceived());
    expect(await on.control.requests()).toHaveLength(2);
  });

  test('tools that a route’s model does not have are not offered', async () => {
    const upstream = on.open({
      modelsFile: modelsFileSchema.parse({ m: [{ dialect: 'gemini', model: FLASH, tools: ['search'] }] }),
    });
    const tools = { search: true, addresses: true, code: true };
    await listen(upstream, { ...asking('a'), tools, effort: 'high' }, nothingReceived());
    expect((await lastBody()).tools).toEqual([{ googleSearch: {} }]);
    expect(await lastBody()).not.toHaveProperty('generationConfig');
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
