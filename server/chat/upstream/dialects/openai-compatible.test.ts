import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { modelsFileSchema } from '#server/catalogue/upstream-chains.ts';
import { openaiBytes } from '#test/chat/openai-bytes.ts';
import { asking, listen, nothingReceived, openTestUpstream, type TestUpstream } from '#test/chat/upstream.ts';

describe('the OpenAI-compatible dialect', () => {
  let on: TestUpstream;
  beforeAll(async () => {
    on = await openTestUpstream('openai-compatible');
  });
  beforeEach(() => on.reset());
  afterAll(() => on.close());

  function openRoute(fields: object) {
    const route = {
      dialect: 'openai-compatible',
      model: 'qwen-plus',
      baseUrl: `${on.emulatorUrl}/v1/`,
      keyVariable: 'TEST_KEY',
      ...fields,
    };
    return on.open({ modelsFile: modelsFileSchema.parse({ m: [route] }) });
  }

  test('sends messages, the key as bearer, and asks for usage', async () => {
    const request = { ...asking('你好'), system: '简短', temperature: 1, maxOutputTokens: 50, stop: ['x'] };
    await listen(on.upstream, request, nothingReceived());
    const [sent] = await on.control.requests();
    expect(sent?.path).toBe('/v1/chat/completions');
    expect(sent?.headers.authorization).toBe('…');
    expect(sent?.body).toEqual({
      model: 'deepseek-chat',
      messages: [
        { role: 'system', content: '简短' },
        { role: 'user', content: '你好' },
      ],
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 50,
      stop: ['x'],
    });
  });

  test('keeps to the habits of a provider that its route names', async () => {
    const upstream = openRoute({
      streamUsage: false,
      maxTokensField: 'max_completion_tokens',
      maxOutputTokens: 90,
      sampling: true,
      extraBody: { enable_thinking: true },
    });
    const received = nothingReceived();
    const result = await listen(upstream, { ...asking('给我一份跑步计划'), temperature: 0.5 }, received);
    const [sent] = await on.control.requests();
    expect(sent?.body).toMatchObject({ max_completion_tokens: 90, temperature: 0.5, enable_thinking: true });
    expect(sent?.body).not.toHaveProperty('stream_options');
    expect(result.usage).toBeNull();
    expect(received.reasoning).toContain('确定目标和范围');
  });

  test('hears reasoning under either of its two names', async () => {
    for (const field of ['reasoning_content', 'reasoning']) {
      await on.control.scenario('reasoning', { params: { field } });
      const received = nothingReceived();
      await listen(on.upstream, asking('你好'), received);
      expect(received.reasoning).not.toBe('');
    }
  });

  test('takes a reason of the end for one of ours only where it is listed', async () => {
    await on.control.scenario('verbatim', {
      params: { bytes: openaiBytes([{ content: 'Hi' }], 'constructor') },
    });
    const error = await listen(on.upstream, asking('你好'), nothingReceived()).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({
      kind: 'model_error',
      vendorCode: 'constructor',
      code: 'upstream_failed',
    });
  });

  test('takes its key from its own variable, and needs none where none is named', async () => {
    const upstream = openRoute({ keyVariable: undefined });
    const error = await listen(upstream, asking('你好'), nothingReceived()).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ kind: 'auth', status: 401 });
    const [sent] = await on.control.requests();
    expect(sent?.headers).not.toHaveProperty('authorization');
  });
});
