import { getEventListeners } from 'node:events';
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ScenarioName, ScenarioParams } from '#emulators/scenario.ts';
import { modelsFileSchema } from '#server/catalogue/upstream-chains.ts';
import { heldFile, pdf } from '#test/chat/files.ts';
import {
  asking,
  listen,
  nothingReceived,
  openTestUpstream,
  type TestUpstream,
  textTurn,
} from '#test/chat/upstream.ts';
import { PATIENT } from '#test/patient.ts';
import { IS_LONG } from '#test/runs.ts';
import { MAX_INLINE } from './media/give-files.ts';
import { UpstreamError } from './transport/upstream-error.ts';

const DIALECTS = ['gemini', 'openai-compatible'] as const;
const PROMPT = '给我一份跑步计划';

describe.each(DIALECTS)('an answer in the %s dialect', (dialect) => {
  let on: TestUpstream;
  const opening = openTestUpstream(dialect).then((opened) => {
    on = opened;
  });

  beforeEach(async () => {
    await opening;
    await on.reset();
  });
  afterAll(() => on.close());

  async function receivedOf(prompt = PROMPT) {
    const received = nothingReceived();
    const result = await listen(on.upstream, asking(prompt), received);
    return { received, result };
  }

  test('streams in pieces and tells the model and the tokens', async () => {
    await on.control.pace({ ttftMs: 5, gapMs: 20, jitter: 0 });
    const { received, result } = await receivedOf('写一首关于秋天的诗');
    expect(received.text).toContain('《秋日》');
    expect(received.text).toContain('本机模拟回答，未调用真实模型。');
    expect(received.texts).toBeGreaterThan(2);
    const model = dialect === 'gemini' ? 'gemini-3.8-flash' : 'deepseek-chat';
    expect(result).toMatchObject({ finishReason: 'stop', modelVersion: model, upstreamModel: model });
    expect(result.usage?.inputTokens).toBeGreaterThan(3);
    expect(result.usage?.outputTokens).toBeGreaterThan(20);
    expect(received.notices).toEqual([]);
  });

  test('is whole when every byte comes in a packet of its own', async () => {
    const pieces = 3;
    await on.control.scenario('byte-by-byte', { params: { pieces } });
    const { received } = await receivedOf();
    expect(received.text).not.toBe('');
    const { received: whole } = await receivedOf();
    expect(whole.text.startsWith(received.text)).toBe(true);
  });

  test('is whole after a flood of comments, and with its finish said twice', async () => {
    const { received: plain } = await receivedOf();
    for (const name of ['comment-flood', 'duplicate-finish'] as const) {
      await on.control.scenario(name);
      const { received, result } = await receivedOf();
      expect(received.text).toBe(plain.text);
      expect(result.finishReason).toBe('stop');
    }
  });

  test('keeps thinking apart from text', async () => {
    await on.control.scenario('reasoning');
    const { received, result } = await receivedOf();
    expect(received.reasoning).toContain('想清楚再回答');
    expect(received.text).not.toContain('想清楚再回答');
    expect(result.usage?.reasoningTokens).toBeGreaterThan(0);
  });

  test('that refuses in words is an answer', async () => {
    await on.control.scenario('refusal');
    const { received, result } = await receivedOf();
    expect(result.finishReason).toBe('stop');
    expect(received.text).not.toBe('');
  });

  test('that hit the limit of tokens says so', async () => {
    await on.control.scenario('max-tokens');
    const { result } = await receivedOf();
    expect(result.finishReason).toBe('length');
  });

  test.each(['huge-usage', 'negative-usage'] as const)(
    'with %s keeps the last usage that can be true',
    async (name) => {
      await on.control.scenario(name);
      const { result, received } = await receivedOf();
      expect(received.text).not.toBe('');
      expect(result.usage?.outputTokens ?? 0).toBeLessThan(2_000);
      expect(result.usage?.outputTokens ?? 0).toBeGreaterThanOrEqual(0);
    },
  );

  test('from another version than asked for carries that version', async () => {
    await on.control.scenario('other-version');
    const { result } = await receivedOf();
    expect(result.modelVersion).not.toBe(result.upstreamModel);
    expect(result.modelVersion).not.toBeNull();
    expect(on.alerts).toEqual([]);
  });

  test('from another model than asked for is reported once', async () => {
    await on.control.scenario('other-version', { params: { version: 'quite-another' }, times: null });
    const upstream = on.open();
    for (let count = 0; count < 3; count += 1) {
      const result = await listen(upstream, asking('你好'), nothingReceived());
      expect(result.modelVersion).toBe('quite-another');
    }
    expect(on.alerts).toMatchObject([{ alert: 'upstream_routed' }]);
    expect(on.logged.filter((line) => line.includes('upstream_routed'))).toHaveLength(1);
  });

  test.runIf(IS_LONG).each([
    ['before the first token', 'slow-first-token'],
    ['after the first token', 'never-ends'],
    ['while it is silent', 'silent'],
  ] as const)('stopped %s ends at once, and the provider sees it', async (_when, name) => {
    await on.control.scenario(name);
    const received = nothingReceived();
    const stop = new AbortController();
    const answer = listen(on.upstream, asking(PROMPT), received, stop.signal);
    if (name === 'slow-first-token') {
      await vi.waitFor(async () => expect(await on.control.requests()).toHaveLength(1), PATIENT);
    } else await vi.waitFor(() => expect(received.text).not.toBe(''), PATIENT);
    stop.abort();
    const error = await answer.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind: 'aborted' });
    const tellsUsage = dialect === 'gemini' && name !== 'slow-first-token';
    if (tellsUsage)
      expect(error).toMatchObject({ metadata: { usage: { outputTokens: expect.any(Number) } } });
    const said = received.text;
    await vi.waitFor(
      async () => expect(await on.control.requests()).toMatchObject([{ aborted: true }]),
      PATIENT,
    );
    expect(received.text).toBe(said);
  });

  test('leaves nothing behind at its signal', async () => {
    const stop = new AbortController();
    await listen(on.upstream, asking('你好'), nothingReceived(), stop.signal);
    await on.control.scenario('http-500', { times: null });
    await listen(on.upstream, asking('你好'), nothingReceived(), stop.signal).catch(() => {});
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  });

  test('stopped while waiting to try again ends at once', async () => {
    await on.control.scenario('http-429', { params: { retryMs: 2_000 }, times: null });
    const stop = new AbortController();
    const answer = listen(on.upstream, asking(PROMPT), nothingReceived(), stop.signal);
    await vi.waitFor(() => expect(on.logged.join()).toContain('"waitMs":2000'), PATIENT);
    stop.abort();
    await expect(answer).rejects.toMatchObject({ kind: 'aborted' });
    expect(await on.control.requests()).toHaveLength(1);
  });

  test('asked for by a signal already aborted is not asked for at all', async () => {
    const answer = listen(on.upstream, asking(PROMPT), nothingReceived(), AbortSignal.abort());
    await expect(answer).rejects.toMatchObject({ kind: 'aborted' });
    expect(await on.control.requests()).toEqual([]);
  });

  test('uses connections again', async () => {
    for (let count = 0; count < 3; count += 1) await receivedOf('你好');
    const all = await Promise.all(Array.from({ length: 20 }, () => receivedOf('你好')));
    expect(new Set(all.map(({ received }) => received.text)).size).toBe(1);
  });

  test.each([
    ['no turns', [], 'invalid_content'],
    ['an empty turn', [{ role: 'user', text: ' \n' }], 'invalid_content'],
    [
      'the model first',
      [
        { role: 'model', text: 'a' },
        { role: 'user', text: 'b' },
      ],
      'invalid_history',
    ],
    [
      'the model last',
      [
        { role: 'user', text: 'a' },
        { role: 'model', text: 'b' },
      ],
      'invalid_history',
    ],
  ] as const)('to a conversation with %s is refused before it is sent', async (_name, turns, kind) => {
    const request = { system: null, turns: turns.map(({ role, text }) => textTurn(role, text)) };
    await expect(listen(on.upstream, request, nothingReceived())).rejects.toMatchObject({ kind });
    expect(await on.control.requests()).toEqual([]);
  });

  test('of a model that nobody serves is missing_model', async () => {
    for (const id of ['unknown', '', 'constructor']) {
      const answer = listen(on.upstream, asking(PROMPT), nothingReceived(), undefined, id);
      await expect(answer).rejects.toMatchObject({ kind: 'missing_model' });
    }
  });

  test('of a retired model comes from the next in its chain, with a notice, and the retired one is remembered', async () => {
    const [route] =
      modelsFileSchema.parse(
        dialect === 'gemini'
          ? { m: [{ dialect, model: 'gemini-3.8-flash' }] }
          : {
              m: [
                { dialect, model: 'deepseek-chat', baseUrl: `${on.emulatorUrl}/v1`, keyVariable: 'TEST_KEY' },
              ],
            },
      ).m ?? [];
    if (!route) throw new Error('no route');
    const upstream = on.open({ modelsFile: { m: [{ ...route, model: 'retired-model' }, route] } });
    const received = nothingReceived();
    const result = await listen(upstream, asking(PROMPT), received);
    expect(result.upstreamModel).toBe(route.model);
    expect(received.notices).toEqual(['upstream_switched']);
    expect(await on.control.requests()).toHaveLength(2);
    await listen(upstream, asking(PROMPT), received);
    expect(received.notices).toEqual(['upstream_switched', 'upstream_switched']);
    expect(await on.control.requests()).toHaveLength(3);
    expect(on.alerts).toEqual([]);
  });

  test('that breaks is not asked of the next in the chain', async () => {
    const [route] =
      modelsFileSchema.parse({
        m: [
          {
            dialect,
            model: dialect === 'gemini' ? 'gemini-4-argon' : 'qwen-plus',
            baseUrl: dialect === 'gemini' ? on.emulatorUrl : `${on.emulatorUrl}/v1`,
            keyVariable: 'TEST_KEY',
          },
        ],
      }).m ?? [];
    if (!route) throw new Error('no route');
    const upstream = on.open({ modelsFile: { m: [route, route] } });
    await on.control.scenario('http-403', { times: null });
    await expect(listen(upstream, asking(PROMPT), nothingReceived())).rejects.toBeInstanceOf(UpstreamError);
    expect(await on.control.requests()).toHaveLength(1);
  });

  test.each<[ScenarioName, ScenarioParams]>([
    ['http-403', {}],
    ['http-503', {}],
    ['http-429', { retryMs: 20_000 }],
    ['slow-first-token', { ms: 60_000 }],
  ])(
    'that fails with %s before the first token comes from the fallback, with a notice',
    async (name, params) => {
      const upstream = on.open({
        modelsFile: chainWithFallback(dialect, on.emulatorUrl),
        timeouts: { firstTokenMs: 4_000 },
      });
      await on.control.scenario(name, { params, times: name === 'http-503' ? 2 : 1 });
      const received = nothingReceived();
      const before = performance.now();
      const result = await listen(upstream, asking(PROMPT), received);
      expect(performance.now() - before).toBeLessThan(20_000);
      expect([received.notices, received.text === '', result.finishReason]).toEqual([
        ['upstream_switched'],
        false,
        'stop',
      ]);
      const asked = (await on.control.requests()).length;
      await listen(upstream, asking(PROMPT), received);
      expect((await on.control.requests()).length).toBe(asked + 1);
      expect(received.notices).toHaveLength(2);
    },
  );

  test.each(['blocked-prompt', 'cut-off'] as const)(
    'that ends with %s is not asked of the fallback',
    async (name) => {
      const upstream = on.open({ modelsFile: chainWithFallback(dialect, on.emulatorUrl) });
      await on.control.scenario(name, { times: null });
      await expect(listen(upstream, asking(PROMPT), nothingReceived())).rejects.toBeInstanceOf(UpstreamError);
      expect(await on.control.requests()).toHaveLength(1);
    },
  );

  test('that every provider refuses fails once each has been asked', async () => {
    const upstream = on.open({ modelsFile: chainWithFallback(dialect, on.emulatorUrl) });
    await on.control.scenario('http-403', { times: null });
    await expect(listen(upstream, asking(PROMPT), nothingReceived())).rejects.toMatchObject({ kind: 'auth' });
    expect(await on.control.requests()).toHaveLength(2);
  });

  test('so far has its tokens counted, though the model spoke last', async () => {
    const turns = [textTurn('user', '你好'), textTurn('model', '你好，想聊点什么？')];
    const counted = await on.upstream.countTokens('m', { system: null, turns }, new AbortController().signal);
    expect(counted).toBeGreaterThan(5);
  });

  test('has its tokens counted', async () => {
    const signal = new AbortController().signal;
    const request = {
      system: 'You are kind. 请友善。',
      turns: [textTurn('user', '今天天气真好 '.repeat(50))],
    };
    const counted = await on.upstream.countTokens('m', request, signal);
    expect(counted).toBeGreaterThan(150);
    expect(counted).toBeLessThan(800);
  });
});

test('that a provider has no place for files says nothing of its model', async () => {
  const on = await openTestUpstream('gemini');
  onTestFinished(() => on.close());
  const [route] = modelsFileSchema.parse({ m: [{ dialect: 'gemini', model: 'gemini-3.8-flash' }] }).m ?? [];
  if (!route) throw new Error('no route');
  const upstream = on.open({ modelsFile: { m: [route, { ...route, model: 'gemini-3.5-flash-lite' }] } });
  const refusal = JSON.stringify({ refusal: 404 });
  await fetch(`${on.emulatorUrl}/__control/files`, { method: 'POST', body: refusal });
  const { part } = heldFile({ name: 'long.pdf', type: 'application/pdf', data: pdf(1, MAX_INLINE) });
  const turn = { role: 'user' as const, parts: [part, { kind: 'text' as const, text: PROMPT }] };
  await expect(listen(upstream, { system: null, turns: [turn] }, nothingReceived())).rejects.toMatchObject({
    kind: 'fetch',
    status: 404,
    phase: 'files',
  });
  const result = await listen(upstream, asking(PROMPT), nothingReceived());
  expect([result.upstreamModel, on.alerts]).toEqual(['gemini-3.8-flash', []]);
});

/** A chain of two providers of one model. */
function chainWithFallback(dialect: (typeof DIALECTS)[number], url: string) {
  const model = dialect === 'gemini' ? 'gemini-4-argon' : 'qwen-plus';
  const baseUrl = dialect === 'gemini' ? url : `${url}/v1`;
  const route = { dialect, model, baseUrl, keyVariable: 'TEST_KEY' };
  return modelsFileSchema.parse({ m: [route, { ...route, fallback: true }] });
}
