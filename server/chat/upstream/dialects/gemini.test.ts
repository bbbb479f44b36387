import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { modelsFileSchema } from '#server/catalogue/upstream-chains.ts';
import {
  asking,
  listen,
  nothingReceived,
  openTestUpstream,
  type TestUpstream,
  textTurn,
} from '#test/chat/upstream.ts';

describe('the Gemini dialect', () => {
  let on: TestUpstream;
  beforeAll(async () => {
    on = await openTestUpstream('gemini');
  });
  beforeEach(() => on.reset());
  afterAll(() => on.close());

  const signal = new AbortController().signal;

  function openRoute(fields: object) {
    const modelsFile = modelsFileSchema.parse({
      m: [{ dialect: 'gemini', model: 'gemini-2.5-pro', ...fields }],
    });
    return on.open({ modelsFile });
  }

  test('sends the conversation, the key in its header, and nothing that the model does not take', async () => {
    const request = {
      system: 'Be brief.',
      turns: [textTurn('user', '我叫小林'), textTurn('model', '记住了'), textTurn('user', '我叫什么名字？')],
      temperature: 0.3,
      topP: 0.9,
      maxOutputTokens: 500,
      stop: ['END'],
      seed: 4,
    };
    const received = nothingReceived();
    await listen(on.upstream, request, received);
    expect(received.text).toContain('**小林**');
    const [sent] = await on.control.requests();
    expect(sent?.path).toBe('/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse');
    expect(sent?.headers['x-goog-api-key']).toBe('…');
    expect(sent?.body).toEqual({
      contents: [
        { role: 'user', parts: [{ text: '我叫小林' }] },
        { role: 'model', parts: [{ text: '记住了' }] },
        { role: 'user', parts: [{ text: '我叫什么名字？' }] },
      ],
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      generationConfig: { maxOutputTokens: 500, stopSequences: ['END'], seed: 4 },
    });
  });

  test('sends sampling, limits and the wish for thoughts where the route says so', async () => {
    const upstream = openRoute({
      sampling: true,
      thoughts: true,
      maxOutputTokens: 100,
      headers: { 'x-team': 'a' },
    });
    const received = nothingReceived();
    await listen(
      upstream,
      { ...asking('给我一份跑步计划'), temperature: 0.3, maxOutputTokens: 500 },
      received,
    );
    const [sent] = await on.control.requests();
    expect(sent?.body).toMatchObject({
      generationConfig: { temperature: 0.3, maxOutputTokens: 100, thinkingConfig: { includeThoughts: true } },
    });
    expect(sent?.headers['x-team']).toBe('a');
    expect(received.reasoning).toContain('确定目标和范围');
  });

  test('follows an answer that goes on in further requests, and adds up its tokens', async () => {
    const received = nothingReceived();
    const plain = nothingReceived();
    const { usage: once } = await listen(on.upstream, asking('给我一份跑步计划'), plain);
    await on.control.reset();
    await on.control.scenario('continuation', { params: { hops: 3 }, times: null });
    const result = await listen(on.upstream, asking('给我一份跑步计划'), received);
    expect(received.text).toBe(plain.text);
    expect(result.finishReason).toBe('stop');
    const sent = await on.control.requests();
    expect(sent.map(({ body }) => (body as { continuationToken?: string }).continuationToken)).toEqual([
      undefined,
      '1',
      '2',
      '3',
    ]);
    expect(result.usage?.inputTokens).toBe((once?.inputTokens ?? 0) * 4);
    expect(result.usage?.outputTokens).toBeGreaterThanOrEqual(once?.outputTokens ?? 0);
  });

  test('gives up an answer without end after four further requests, as cut by length', async () => {
    await on.control.scenario('continuation', { params: { hops: 50 }, times: null });
    const result = await listen(on.upstream, asking('给我一份跑步计划'), nothingReceived());
    expect(result.finishReason).toBe('length');
    expect(await on.control.requests()).toHaveLength(5);
  });

  test('counts the whole request, system instruction included', async () => {
    const bare = await on.upstream.countTokens('m', asking('你好'), signal);
    const full = await on.upstream.countTokens(
      'm',
      { ...asking('你好'), system: '请用中文回答。'.repeat(20) },
      signal,
    );
    expect(full - bare).toBeGreaterThan(60);
    const [sent] = await on.control.requests();
    expect(sent?.path).toBe('/v1beta/models/gemini-3.8-flash:countTokens');
    expect(sent?.body).toMatchObject({ generateContentRequest: { model: 'models/gemini-3.8-flash' } });
  });

  test('speaks the configured version of the API', async () => {
    await listen(on.upstream, asking('你好'), nothingReceived());
    const [sent] = await on.control.requests();
    expect(sent?.path.startsWith('/v1beta/')).toBe(true);
  });

  test('lets an error of a handler through as it is, and ends the request', async () => {
    await on.control.scenario('never-ends');
    const handlers = {
      onText() {
        throw new RangeError('a fault of ours');
      },
      onReasoning() {},
      onPart() {},
      onNotice() {},
      onUse() {},
    };
    await expect(on.upstream.stream('m', asking('a'), handlers, signal)).rejects.toBeInstanceOf(RangeError);
    await expect.poll(() => on.control.requests()).toMatchObject([{ aborted: true }]);
  });
});
