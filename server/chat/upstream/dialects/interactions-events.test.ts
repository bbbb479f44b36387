import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ScenarioName, ScenarioParams } from '#emulators/scenario.ts';
import {
  type BrowserModel,
  browsing,
  callOf,
  completed,
  delta,
  FLASH,
  INTERACTIONS,
  openBrowserModel,
  start,
  stop,
  thought,
} from '#test/chat/interactions.ts';
import { nothingReceived, TOO_LATE_MS } from '#test/chat/upstream.ts';
import { runs } from '#test/runs.ts';
import type { UpstreamErrorKind } from '../transport/upstream-error.ts';
import { InteractionReader } from './interactions-events.ts';

describe('an answer of the Interactions API', () => {
  let model: BrowserModel;
  beforeAll(async () => {
    model = await openBrowserModel();
  });
  beforeEach(() => model.reset());
  afterAll(() => model.on.close());

  test('says what it thinks, says and calls, in its order, with its count of tokens', async () => {
    const usage = {
      ...{ total_input_tokens: 90, total_tool_use_tokens: 10, total_output_tokens: 20 },
      ...{ total_thought_tokens: 7, total_cached_tokens: 40, total_tokens: 127 },
    };
    const { received, result } = await model.answer([
      { event_type: 'interaction.created', interaction: { id: '', status: 'in_progress', model: FLASH } },
      { event_type: 'interaction.status_update', interaction_id: '', status: 'in_progress' },
      ...thought,
      start(1, { type: 'model_output', content: [{ type: 'text', text: 'I ' }] }),
      delta(1, 'text', { text: 'open it.' }),
      delta(1, 'what_comes_some_day', { text: 'no' }),
      stop(1),
      ...callOf(2, 'c1', ['{"x":', '1}']),
      ...callOf(3, 'c2', [], 'wait'),
      completed('requires_action', usage),
    ]);
    expect(received).toMatchObject({ reasoning: 'Look first.', text: 'I open it.' });
    expect(received.parts).toEqual([
      { kind: 'call', id: 'c1', name: 'click', args: '{"x":1}' },
      { kind: 'call', id: 'c2', name: 'wait', args: '{}' },
    ]);
    expect(result).toMatchObject({
      ...{ finishReason: 'stop', modelVersion: FLASH, upstreamModel: FLASH },
      usage: { inputTokens: 100, outputTokens: 27, reasoningTokens: 7, cachedInputTokens: 40 },
    });
  });

  test('may write calls at once, which are put together by their places, and handed over as they end', async () => {
    const { received } = await model.answer([
      start(0, { type: 'function_call', id: 'a', name: 'click', arguments: {} }),
      start(1, { type: 'function_call', id: 'b', name: 'type', arguments: { text: 'whole' } }),
      delta(0, 'arguments_delta', { arguments: '{"x"' }),
      stop(1),
      delta(0, 'arguments_delta', { arguments: ':2}' }),
      completed('requires_action'),
    ]);
    expect(received.parts).toMatchObject([
      { id: 'b', args: '{"text":"whole"}' },
      { id: 'a', args: '{"x":2}' },
    ]);
  });

  test('writes the same call however its arguments are cut', async () => {
    const args = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value));
    fc.assert(
      fc.property(args, fc.array(fc.nat(), { maxLength: 8 }), (text, cuts) => {
        const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b)];
        const pieces = places.map((from, at) => text.slice(from, places[at + 1]));
        const calls: unknown[] = [];
        const lines: string[] = [];
        const reader = new InteractionReader({
          addPart: (part: unknown) => calls.push(part),
          setUsage() {},
          setFinish() {},
          begin() {},
          limitLength() {},
          kept: { add: (line: string) => lines.push(line) },
        } as never);
        for (const event of [...callOf(0, 'c', pieces), completed()]) reader.read(JSON.stringify(event));
        expect(calls).toMatchObject([{ args: text }]);
        expect(lines).toEqual([`{"type":"function_call","id":"c","name":"click","arguments":${text}}`]);
      }),
      { numRuns: runs(300) },
    );
  });

  test.each<[ScenarioName, ScenarioParams, UpstreamErrorKind, string | null, number]>([
    ['cut-off', {}, 'truncated', null, 1],
    ['cut-off', { after: 0 }, 'truncated', null, 1],
    ['no-finish', {}, 'truncated', null, 1],
    ['malformed', {}, 'parse', null, 1],
    ['mid-stream-error', {}, 'overloaded', 'SERVICE_UNAVAILABLE', 1],
    ['mid-stream-error', { after: 0 }, 'overloaded', 'SERVICE_UNAVAILABLE', 2],
    ['mid-stream-error', { status: 400 }, 'fetch', 'INVALID_REQUEST', 1],
    ['blocked-prompt', {}, 'blocked', 'PROHIBITED_CONTENT', 1],
    ['blocked-answer', {}, 'blocked', 'SAFETY', 1],
    ['blocked-after-text', {}, 'blocked', 'SAFETY', 1],
    ['model-error', {}, 'model_error', 'MALFORMED_FUNCTION_CALL', 1],
    ['empty', {}, 'empty', 'completed', 1],
    ['http-429', { retryMs: TOO_LATE_MS }, 'rate', 'RATE_LIMIT_EXCEEDED', 1],
    ['http-429', { daily: true }, 'rate', 'QUOTA_PER_DAY', 1],
    ['http-503', {}, 'overloaded', 'SERVICE_UNAVAILABLE', 2],
    ['http-402', {}, 'balance', 'PAYMENT_REQUIRED', 1],
    ['bad-key', {}, 'auth', 'AUTHENTICATION', 1],
    ['drop-connection', {}, 'connect', 'ECONNRESET', 2],
    ['huge-line', {}, 'parse', null, 1],
  ])('%s %j is %s (%s) after %i request(s)', async (name, params, kind, vendorCode, tries) => {
    await model.teach();
    await model.on.control.scenario(name, { params, times: null });
    await expect(model.ask()).rejects.toMatchObject({ kind, vendorCode });
    expect(await model.paths()).toEqual(Array(tries).fill(INTERACTIONS));
  });

  test('that is cut by its limit of tokens is one', async () => {
    await model.teach();
    await model.on.control.scenario('max-tokens');
    const received = nothingReceived();
    expect(await model.ask(browsing(), received)).toMatchObject({ finishReason: 'length' });
    expect(received.text).not.toBe('');
  });

  test.each<[string, object[], object]>([
    ['gave up', [completed('failed')], { kind: 'model_error', vendorCode: 'failed' }],
    ['wrote a call that is no JSON', callOf(0, 'c', ['{"x":']), { vendorCode: 'MALFORMED_FUNCTION_CALL' }],
    ['wrote a call that is a list', callOf(0, 'c', ['[1]']), { vendorCode: 'MALFORMED_FUNCTION_CALL' }],
    [
      'never ends a call',
      [
        start(0, { type: 'function_call', id: 'c', name: 'click', arguments: {} }),
        ...Array.from({ length: 18 }, () => delta(0, 'arguments_delta', { arguments: 'x'.repeat(950_000) })),
      ],
      { kind: 'parse' },
    ],
  ])('of a model that %s is none', async (_what, events, error) => {
    await expect(model.answer(events)).rejects.toMatchObject(error);
  });

  test('stops when its caller does', async () => {
    await model.teach();
    await model.on.control.scenario('silent');
    const stopping = new AbortController();
    const received = nothingReceived();
    const asked = model.ask(browsing(), received, undefined, stopping.signal);
    await expect.poll(() => received.text).not.toBe('');
    stopping.abort();
    await expect(asked).rejects.toMatchObject({ kind: 'aborted' });
    await expect.poll(async () => (await model.on.control.requests()).at(-1)?.aborted).toBe(true);
  });
});
