import OpenAI, { APIError } from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { controlEmulator, type EmulatorControl } from '#test/emulator-control.ts';
import type { Emulator } from '../http-server.ts';
import { startOpenaiEmulator } from './openai-emulator.ts';

const MODEL = 'deepseek-chat';

describe('the OpenAI-compatible emulator, asked by OpenAI’s own client', () => {
  let emulator: Emulator;
  let control: EmulatorControl;
  beforeAll(async () => {
    emulator = await startOpenaiEmulator({ port: 0 });
    control = controlEmulator(emulator.url);
  });
  beforeEach(() => control.reset());
  afterAll(() => emulator.close());

  function client(apiKey = 'k') {
    return new OpenAI({ apiKey, baseURL: `${emulator.url}/v1`, maxRetries: 0 });
  }

  const ask = (content: string) => ({ model: MODEL, messages: [{ role: 'user' as const, content }] });

  async function refusal(call: Promise<unknown>): Promise<APIError> {
    const error = await call.then(
      () => null,
      (reason: unknown) => reason,
    );
    if (error instanceof APIError) return error;
    throw new Error(`no APIError but ${String(error)}`);
  }

  test('streams a role, pieces, a finish, and usage in a chunk of its own', async () => {
    const chunks = [];
    const stream_options = { include_usage: true };
    for await (const chunk of await client().chat.completions.create({
      ...ask('写一首诗'),
      stream: true,
      stream_options,
    })) {
      chunks.push(chunk);
    }
    expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant');
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toContain('《夜航》');
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
    expect(chunks.at(-1)?.choices).toEqual([]);
    expect(chunks.at(-1)?.usage?.completion_tokens).toBeGreaterThan(10);
  });

  test('streams no usage unless asked to', async () => {
    const chunks = [];
    for await (const chunk of await client().chat.completions.create({ ...ask('你好'), stream: true }))
      chunks.push(chunk);
    expect(chunks.every((chunk) => !chunk.usage)).toBe(true);
  });

  test('answers in one piece', async () => {
    const whole = await client().chat.completions.create(ask('(12 + 30) × 4 等于多少？'));
    expect(whole.choices[0]?.message.content).toContain('168');
    expect(whole.choices[0]?.finish_reason).toBe('stop');
    expect(whole.usage?.total_tokens).toBeGreaterThan(10);
  });

  test('lists its models', async () => {
    const names = [];
    for await (const model of client().models.list()) names.push(model.id);
    expect(names).toContain(MODEL);
  });

  test('refuses a wrong key, an unknown model and a bad role', async () => {
    expect((await refusal(client('invalid').chat.completions.create(ask('a')))).code).toBe('invalid_api_key');
    const unknown = await refusal(client().chat.completions.create({ ...ask('a'), model: 'no-such' }));
    expect(unknown).toMatchObject({ status: 404, code: 'model_not_found' });
    const role = client().chat.completions.create({
      model: MODEL,
      messages: [{ role: 'king' as never, content: 'a' }],
    });
    expect(await refusal(role)).toMatchObject({ status: 400, param: 'messages[0].role' });
  });

  test.each([
    ['http-402', 402, 'insufficient_balance'],
    ['http-429', 429, 'rate_limit_exceeded'],
    ['http-500', 500, null],
    ['http-503', 503, 'overloaded'],
  ] as const)('answers %s in OpenAI’s shape', async (name, status, code) => {
    await control.scenario(name, { params: { retryMs: 250 } });
    const error = await refusal(client().chat.completions.create(ask('a')));
    expect(error).toMatchObject({ status, code });
    expect(error.headers?.get('retry-after')).toBe(status === 429 ? '1' : null);
  });

  test('breaks in the middle of a stream with an error event', async () => {
    await control.scenario('mid-stream-error');
    const stream = await client().chat.completions.create({ ...ask('a'), stream: true });
    const reading = (async () => {
      for await (const chunk of stream) if (!chunk.choices) return;
    })();
    await expect(reading).rejects.toBeInstanceOf(APIError);
  });

  test('says of pictures and files what it was given, and refuses what OpenAI refuses', async () => {
    const data = Buffer.from('%PDF-1.4\n1 0 obj<</Type /Page>>').toString('base64');
    const file = { file_data: `data:application/pdf;base64,${data}`, filename: 'contract.pdf' };
    const about = (part: OpenAI.ChatCompletionContentPart) => {
      const content = [{ type: 'text' as const, text: 'What is this?' }, part];
      return client().chat.completions.create({ model: 'qwen-plus', messages: [{ role: 'user', content }] });
    };
    const answer = await about({ type: 'file', file });
    expect(answer.choices[0]?.message.content).toContain('**contract.pdf**: PDF, 1 page');
    const url = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';
    const picture = await about({ type: 'image_url', image_url: { url } });
    expect(picture.choices[0]?.message.content).toContain('**File 1**: image');
    const heic = about({ type: 'image_url', image_url: { url: 'data:image/heic;base64,AAAA' } });
    expect((await refusal(heic)).message).toContain('unsupported image');
  });
});
