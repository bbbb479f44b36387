import type { Interactions } from '@google/genai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { modelsFileSchema } from '#server/catalogue/upstream-chains.ts';
import { geminiBytes } from '#test/chat/gemini-bytes.ts';
import {
  type BrowserModel,
  browsing,
  callOf,
  completed,
  delta,
  FLASH,
  GENERATE,
  INTERACTIONS,
  openBrowserModel,
  SIGNED,
  start,
  stop,
  thought,
} from '#test/chat/interactions.ts';
import { nothingReceived, textTurn } from '#test/chat/upstream.ts';
import { readKept, writeKept } from '../transport/kept-parts.ts';
import type { GenerateResult, Turn } from '../transport/upstream.ts';
import { interactionsBody } from './interactions-request.ts';

describe('a model at the Interactions API', () => {
  let model: BrowserModel;
  beforeAll(async () => {
    model = await openBrowserModel();
  });
  beforeEach(() => model.reset());
  afterAll(() => model.on.close());

  /** A turn of its own that was stored, with the results of its calls. */
  function stored({ kept }: GenerateResult, text: string): Turn[] {
    const seen = { kind: 'seen' as const, id: 'c1', name: 'click', response: '{"url":"u"}', jpeg: 'AAAA' };
    const call = { kind: 'call' as const, id: 'c1', name: 'click', args: '{"x":1}' };
    const said = text === '' ? [] : [{ kind: 'text' as const, text }];
    return [
      textTurn('user', 'Click'),
      { role: 'model', parts: [...said, call], kept: readKept(kept && writeKept(kept)) },
      { role: 'user', parts: [seen] },
    ];
  }

  test('gets a request in Google’s own types, of which nothing is stored', async () => {
    const modelsFile = modelsFileSchema.parse({
      m: [{ dialect: 'gemini', model: FLASH, thoughts: true, maxOutputTokens: 500 }],
    });
    await model.on.control.scenario('only-interactions', { times: 2 });
    const turns: Turn[] = [
      textTurn('user', 'Hello'),
      textTurn('model', 'Hi'),
      {
        role: 'user',
        parts: [
          { kind: 'text', text: '打开 shop.test' },
          { kind: 'text', text: '' },
          { kind: 'media', type: 'image/png', name: null, data: 'AAAA' },
          { kind: 'media', type: 'application/pdf', name: 'a.pdf', data: 'JVBERi0=' },
        ],
      },
    ];
    await model.ask(browsing(turns), nothingReceived(), model.on.open({ modelsFile }));
    const body: Interactions.CreateModelInteractionParamsStreaming = {
      model: FLASH,
      system_instruction: 'Be careful.',
      input: [
        { type: 'user_input', content: [{ type: 'text', text: 'Hello' }] },
        { type: 'model_output', content: [{ type: 'text', text: 'Hi' }] },
        {
          type: 'user_input',
          content: [
            { type: 'text', text: '打开 shop.test' },
            { type: 'image', mime_type: 'image/png', data: 'AAAA' },
            { type: 'document', mime_type: 'application/pdf', data: 'JVBERi0=' },
          ],
        },
      ],
      tools: [
        {
          type: 'computer_use',
          environment: 'browser',
          enable_prompt_injection_detection: true,
        },
      ],
      generation_config: { max_output_tokens: 500, thinking_summaries: 'auto' },
      stream: true,
      store: false,
    };
    expect(await model.lastBody()).toEqual(body);
    const sent = (await model.on.control.requests()).at(-1);
    expect(sent?.headers).toMatchObject({ 'x-goog-api-key': '…', 'api-revision': '2026-05-20' });
  });

  test('gets back what it wrote there byte for byte, also from a new process, and generateContent never does', async () => {
    const args = '{"x":1,"n":1.0e0, "t":"\\u4f60" }';
    const { result } = await model.answer([
      ...thought,
      start(1, { type: 'model_output' }),
      delta(1, 'text', { text: 'I click.' }),
      stop(1),
      ...callOf(2, 'c1', [args.slice(0, 9), args.slice(9)]),
      ...[start(3, { type: 'thought' }), stop(3), start(4, { type: 'model_output' }), stop(4)],
      completed('requires_action'),
    ]);
    const steps = [
      `{"type":"thought","signature":"${SIGNED}"}`,
      '{"type":"model_output","content":[{"type":"text","text":"I click."}]}',
      `{"type":"function_call","id":"c1","name":"click","arguments":${args}}`,
    ];
    const turns = stored(result, 'I click.');
    const [route] = modelsFileSchema.parse({ m: [{ dialect: 'gemini', model: FLASH }] }).m ?? [];
    const body = interactionsBody(route as never, browsing(turns));
    expect(body).toContain(`${steps.join(',')},{"type":"function_result","call_id":"c1"`);

    const fresh = model.on.open();
    await model.ask(browsing(turns), nothingReceived(), fresh);
    expect((await model.paths()).at(-1)).toBe(GENERATE);
    const said = JSON.stringify(await model.lastBody());
    expect(said).not.toMatch(/"type":|sig\//);
    expect((await model.lastBody()).contents).toMatchObject([
      { role: 'user' },
      { role: 'model', parts: [{ text: 'I click.' }, { functionCall: { id: 'c1', args: { x: 1 } } }] },
      { role: 'user', parts: [{ functionResponse: { id: 'c1', response: { url: 'u' } } }] },
    ]);
    await model.on.control.scenario('only-interactions', { times: 2 });
    await model.ask(browsing(turns), nothingReceived(), fresh);
    expect((await model.lastBody()).input).toMatchObject([
      ...[{ type: 'user_input' }, { type: 'thought', signature: SIGNED }, { type: 'model_output' }],
      ...[{ type: 'function_call' }, { type: 'function_result', name: 'click' }],
    ]);
  });

  test('gets its signatures back where its text had a NUL, which is not stored', async () => {
    const { result } = await model.answer([
      ...thought,
      start(1, { type: 'model_output' }),
      delta(1, 'text', { text: 'I \0click.' }),
      stop(1),
      ...callOf(2, 'c1', ['{"x":1}']),
      completed('requires_action'),
    ]);
    const [route] = modelsFileSchema.parse({ m: [{ dialect: 'gemini', model: FLASH }] }).m ?? [];
    const body = interactionsBody(route as never, browsing(stored(result, 'I click.')));
    expect(body).toContain(
      `{"type":"thought","signature":"${SIGNED}"},{"type":"model_output","content":[{"type":"text","text":"I click."}]}`,
    );
  });

  test('is told in words what was written at generateContent, or by another model', async () => {
    const call = `{"functionCall":{"id":"c1","name":"click","args":{"x":1}},"thoughtSignature":"${SIGNED}"}`;
    await model.on.control.scenario('verbatim', { params: { bytes: geminiBytes([[call]]) } });
    const result = await model.ask();
    await model.teach();
    const other = { ...result, kept: { dialect: 'gemini-interactions', model: 'another', lines: [] } };
    for (const each of [result, other]) {
      await model.ask(browsing(stored(each, '')));
      expect((await model.lastBody()).input).toEqual([
        { type: 'user_input', content: [{ type: 'text', text: 'Click' }] },
        { type: 'model_output', content: [{ type: 'text', text: '[click({"x":1})]' }] },
        {
          type: 'user_input',
          content: [
            { type: 'text', text: '[click: {"url":"u"}]' },
            { type: 'image', mime_type: 'image/jpeg', data: expect.any(String) },
          ],
        },
      ]);
    }
    expect(await model.paths()).toEqual([INTERACTIONS, INTERACTIONS]);
  });
});
