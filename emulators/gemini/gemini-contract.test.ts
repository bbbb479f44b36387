import { createHash } from 'node:crypto';
import {
  ApiError,
  GoogleGenAI,
  type GroundingMetadata,
  Language,
  Outcome,
  type ThinkingConfig,
  ThinkingLevel,
  ToolType,
  type UrlContextMetadata,
  UrlRetrievalStatus,
} from '@google/genai';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { controlEmulator, type EmulatorControl } from '#test/emulator-control.ts';
import type { Emulator } from '../http-server.ts';
import { startGeminiEmulator } from './gemini-emulator.ts';

const MODEL = 'gemini-3.8-flash';

describe('the Gemini emulator, asked by Google’s own client', () => {
  let emulator: Emulator;
  let control: EmulatorControl;
  beforeAll(async () => {
    emulator = await startGeminiEmulator({ port: 0 });
    control = controlEmulator(emulator.url);
  });
  beforeEach(() => control.reset());
  afterAll(() => emulator.close());

  function client(apiKey = 'k') {
    return new GoogleGenAI({ apiKey, httpOptions: { baseUrl: emulator.url } });
  }

  async function streamed(contents: string, config = {}) {
    const chunks = [];
    for await (const chunk of await client().models.generateContentStream({
      model: MODEL,
      contents,
      config,
    })) {
      chunks.push(chunk);
    }
    return chunks;
  }

  async function refusal(call: Promise<unknown>): Promise<ApiError> {
    const error = await call.then(
      () => null,
      (reason: unknown) => reason,
    );
    if (error instanceof ApiError) return error;
    throw new Error(`no ApiError but ${String(error)}`);
  }

  test('streams chunks with text, usage and model version, and ends with STOP', async () => {
    const chunks = await streamed('Write a short poem about the sea');
    expect(chunks.length).toBeGreaterThan(10);
    expect(chunks.map((chunk) => chunk.text ?? '').join('')).toContain('**By the Sea**');
    for (const chunk of chunks) {
      expect(chunk.modelVersion).toBe(MODEL);
      expect(chunk.usageMetadata?.promptTokenCount).toBeGreaterThan(0);
    }
    expect(chunks.at(-1)?.candidates?.[0]?.finishReason).toBe('STOP');
    const { usageMetadata } = chunks.at(-1) ?? {};
    const sum = (usageMetadata?.promptTokenCount ?? 0) + (usageMetadata?.candidatesTokenCount ?? 0);
    expect(usageMetadata?.totalTokenCount).toBe(sum);
  });

  test('answers in one piece, with the same text', async () => {
    const whole = await client().models.generateContent({ model: MODEL, contents: '你好' });
    expect(whole.text).toBe((await streamed('你好')).map((chunk) => chunk.text ?? '').join(''));
    expect(whole.candidates?.[0]?.finishReason).toBe('STOP');
  });

  test('sends thoughts as parts of their own when asked to', async () => {
    const chunks = await streamed('给我一份跑步计划', { thinkingConfig: { includeThoughts: true } });
    const parts = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []);
    expect(parts[0]?.thought).toBe(true);
    expect(chunks.at(-1)?.usageMetadata?.thoughtsTokenCount).toBeGreaterThan(0);
  });

  test('searches when it is told to, and hands out suggestions, in Google’s own shapes', async () => {
    const config = { tools: [{ googleSearch: {} }], systemInstruction: 'Search the web before you answer.' };
    const chunks = await streamed('写一首关于秋天的短诗', config);
    const text = chunks.map((chunk) => chunk.text ?? '').join('');
    const found: GroundingMetadata | undefined = chunks.at(-1)?.candidates?.[0]?.groundingMetadata;
    expect(found?.webSearchQueries).toHaveLength(2);
    expect(found?.searchEntryPoint?.renderedContent).toContain('class="chip"');
    for (const { segment } of found?.groundingSupports ?? []) {
      const bytes = Buffer.from(text).subarray(segment?.startIndex ?? 0, segment?.endIndex);
      expect(bytes.toString()).toBe(segment?.text);
    }
    for (const { web } of found?.groundingChunks ?? []) {
      expect(web?.uri).toMatch(
        /^https:\/\/vertexaisearch\.cloud\.google\.com\/grounding-api-redirect\/[\w-]+=*$/,
      );
      expect(web?.title).toMatch(/^[^\s/]+\.[^\s/]+$/);
    }
    const untold = await streamed('写一首关于秋天的短诗', { tools: [{ googleSearch: {} }] });
    expect(untold.at(-1)?.candidates?.[0]?.groundingMetadata).toBeUndefined();
    const needed = await streamed('最新的汇率是多少？', { tools: [{ googleSearch: {} }] });
    expect(needed.at(-1)?.candidates?.[0]?.groundingMetadata?.groundingChunks?.length).toBeGreaterThan(0);
  });

  test('opens the addresses of a question, says how that went, and counts what it read', async () => {
    const contents = 'Compare https://example.com/a with https://example.com/paywall';
    const last = (await streamed(contents, { tools: [{ urlContext: {} }] })).at(-1);
    const opened: UrlContextMetadata | undefined = last?.candidates?.[0]?.urlContextMetadata;
    expect(opened?.urlMetadata).toEqual([
      {
        retrievedUrl: 'https://example.com/a',
        urlRetrievalStatus: UrlRetrievalStatus.URL_RETRIEVAL_STATUS_SUCCESS,
      },
      {
        retrievedUrl: 'https://example.com/paywall',
        urlRetrievalStatus: UrlRetrievalStatus.URL_RETRIEVAL_STATUS_PAYWALL,
      },
    ]);
    expect(last?.usageMetadata?.toolUsePromptTokenCount).toBe(5_500);
    const many = Array.from({ length: 21 }, (_, n) => `https://example.com/${n}`).join(' ');
    const call = client().models.generateContent({
      model: MODEL,
      contents: many,
      config: { tools: [{ urlContext: {} }] },
    });
    expect((await refusal(call)).message).toContain('exceeds the limit (21 > 20)');
  });

  test('runs code and draws a plot, as parts, streamed or not', async () => {
    const config = { tools: [{ codeExecution: {} }] };
    const chunks = await streamed('计算 12 × 34', config);
    const whole = await client().models.generateContent({ model: MODEL, contents: '计算 12 × 34', config });
    const streamedParts = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []);
    for (const parts of [streamedParts, whole.candidates?.[0]?.content?.parts ?? []]) {
      const [code, result, plot] = parts;
      expect(code?.executableCode).toMatchObject({ language: Language.PYTHON });
      expect(result?.codeExecutionResult).toEqual({ outcome: Outcome.OUTCOME_OK, output: '408\n' });
      expect(plot?.inlineData?.mimeType).toBe('image/png');
      const { format, width } = await sharp(Buffer.from(plot?.inlineData?.data ?? '', 'base64')).metadata();
      expect([format, width]).toEqual(['png', 480]);
    }
  });

  test('its own tools beside functions need their calls to be parts', async () => {
    const tools = [{ googleSearch: {} }, { functionDeclarations: [{ name: 'look' }] }];
    const systemInstruction = 'Search the web before you answer.';
    const call = client().models.generateContent({ model: MODEL, contents: 'a', config: { tools } });
    expect((await refusal(call)).message).toContain('include_server_side_tool_invocations');
    const toolConfig = { includeServerSideToolInvocations: true };
    const chunks = await streamed('Hello', { tools, toolConfig, systemInstruction });
    const parts = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []);
    expect(parts[0]?.toolCall?.toolType).toBe(ToolType.GOOGLE_SEARCH_WEB);
    expect(parts[1]?.toolResponse?.id).toBe(parts[0]?.toolCall?.id);
  });

  test('thinks as much as it is told, each model in its own way', async () => {
    const thoughts = async (model: string, thinkingConfig: ThinkingConfig) => {
      const config = { thinkingConfig: { includeThoughts: true, ...thinkingConfig } };
      const { candidates } = await client().models.generateContent({
        model,
        contents: '给我一份跑步计划',
        config,
      });
      return (candidates?.[0]?.content?.parts ?? [])
        .map(({ text, thought }) => (thought ? text : ''))
        .join('').length;
    };
    const usual = await thoughts(MODEL, {});
    expect(await thoughts(MODEL, { thinkingLevel: ThinkingLevel.LOW })).toBe(0);
    expect(await thoughts(MODEL, { thinkingLevel: ThinkingLevel.HIGH })).toBeGreaterThan(usual);
    expect(await thoughts('gemini-2.5-pro', { thinkingBudget: 8_192 })).toBeGreaterThan(usual);
    const wrong = thoughts('gemini-2.5-pro', { thinkingLevel: ThinkingLevel.LOW });
    expect((await refusal(wrong)).status).toBe(400);
    expect((await refusal(thoughts('gemini-4-argon', { thinkingBudget: 1 }))).status).toBe(400);
  });

  test('suggests three questions where it is asked for them', async () => {
    const config = {
      systemInstruction: 'Write the three questions that its reader would most likely ask next.',
    };
    const contents = '<question>\n怎样写周报？\n</question>\n<answer>\n…\n</answer>';
    const { text } = await client().models.generateContent({ model: MODEL, contents, config });
    expect(text?.split('\n')).toHaveLength(3);
  });

  test('remembers the conversation that the client sends', async () => {
    const chat = client().chats.create({ model: MODEL });
    await chat.sendMessage({ message: 'My name is Alex' });
    const answer = await chat.sendMessage({ message: 'What’s my name?' });
    expect(answer.text).toContain('Alex');
  });

  test('counts tokens', async () => {
    const counted = await client().models.countTokens({
      model: MODEL,
      contents: 'The quick brown fox 敏捷的狐狸',
    });
    expect(counted.totalTokens).toBeGreaterThan(6);
    expect(counted.totalTokens).toBeLessThan(20);
  });

  test('lists its models, page by page', async () => {
    const names = [];
    for await (const model of await client().models.list({ config: { pageSize: 5 } })) names.push(model.name);
    expect(names).toContain('models/gemini-4-argon');
    expect(names).toContain('models/gemini-2.5-pro');
    expect(new Set(names).size).toBe(names.length);
    expect((await client().models.get({ model: MODEL })).inputTokenLimit).toBe(1_048_576);
  });

  test.each(['', 'invalid'])('refuses the key %j', async (key) => {
    const url = `${emulator.url}/v1beta/models/${MODEL}:generateContent`;
    const response = await fetch(url, { method: 'POST', headers: { 'x-goog-api-key': key }, body: '{}' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { code: 400, status: 'INVALID_ARGUMENT', details: [{ reason: 'API_KEY_INVALID' }, {}] },
    });
    if (key !== '') {
      const call = client(key).models.generateContent({ model: MODEL, contents: 'a' });
      expect((await refusal(call)).status).toBe(400);
    }
  });

  test.each(['gemini-1.5-pro', 'gemini-2.0-flash', 'gemini-3-pro-preview', 'no-such-model'])(
    'knows no %s',
    async (model) => {
      const error = await refusal(client().models.generateContent({ model, contents: 'a' }));
      expect(error.status).toBe(404);
      expect(error.message).toContain('NOT_FOUND');
    },
  );

  test('refuses what Google refuses', async () => {
    const models = client().models;
    const thinkingConfig = { thinkingBudget: 100, thinkingLevel: 'LOW' as never };
    const both = models.generateContent({ model: MODEL, contents: 'a', config: { thinkingConfig } });
    expect((await refusal(both)).status).toBe(400);
    const role = models.generateContent({
      model: MODEL,
      contents: [{ role: 'system', parts: [{ text: 'a' }] }],
    });
    expect((await refusal(role)).message).toContain('valid role');
  });

  test('says when to come back', async () => {
    await control.scenario('http-429', { params: { retryMs: 36_420 } });
    const error = await refusal(client().models.generateContent({ model: MODEL, contents: 'a' }));
    expect(error.status).toBe(429);
    expect(error.message).toContain('"retryDelay":"36.42s"');
    expect(error.message).toContain('RESOURCE_EXHAUSTED');
  });

  test('breaks in the middle of a stream as Google does', async () => {
    await control.scenario('mid-stream-error');
    await expect(streamed('a')).rejects.toMatchObject({ status: 503 });
  });

  test('blocks a prompt without a candidate', async () => {
    await control.scenario('blocked-prompt');
    const [chunk] = await streamed('a');
    expect(chunk?.promptFeedback?.blockReason).toBe('PROHIBITED_CONTENT');
    expect(chunk?.candidates).toBeUndefined();
  });

  test('streams one JSON list without alt=sse', async () => {
    const url = `${emulator.url}/v1/models/${MODEL}:streamGenerateContent`;
    const body = JSON.stringify({ contents: [{ parts: [{ text: '你好' }] }] });
    const response = await fetch(url, { method: 'POST', headers: { 'x-goog-api-key': 'k' }, body });
    const list = (await response.json()) as unknown[];
    expect(list.length).toBeGreaterThan(2);
    expect(list.at(-1)).toMatchObject({ candidates: [{ finishReason: 'STOP' }] });
  });

  test('says of pictures and documents what it was given', async () => {
    const png = Buffer.from(PNG, 'base64');
    const pdf = Buffer.from(
      '%PDF-1.4\n1 0 obj<</Type /Page>>\n2 0 obj<</Type/Page>>\n3 0 obj<</Type/Pages>>',
    );
    await control.scenario('seen-files');
    const answer = await client().models.generateContent({
      model: MODEL,
      contents: [
        {
          role: 'user',
          parts: [
            { text: '[image: sunset.png]' },
            { inlineData: { mimeType: 'image/png', data: PNG } },
            { inlineData: { mimeType: 'application/pdf', data: pdf.toString('base64') } },
            { text: 'What is this?' },
          ],
        },
      ],
    });
    expect(JSON.parse(answer.text ?? '')).toMatchObject([
      { name: 'sunset.png', type: 'image/png', pixels: [1, 1], sha256: hashOf(png) },
      { name: null, type: 'application/pdf', pages: 2 },
    ]);
    const office = { inlineData: { mimeType: 'application/msword', data: PNG } };
    const refused = client().models.generateContent({
      model: MODEL,
      contents: [{ role: 'user', parts: [office] }],
    });
    expect((await refusal(refused)).message).toContain('Unsupported MIME type');
  });

  test('keeps files until they are deleted or expire', async () => {
    const { files, models } = client();
    const config = { mimeType: 'text/plain', displayName: 'notes.txt' };
    const { name = '', ...file } = await files.upload({ file: new Blob(['Notes of mine']), config });
    expect(file).toMatchObject({ ...config, state: 'ACTIVE', sizeBytes: '13' });
    const read = () =>
      models.generateContent({
        model: MODEL,
        contents: [
          { role: 'user', parts: [{ fileData: { fileUri: file.uri ?? '', mimeType: 'text/plain' } }] },
        ],
      });
    expect((await read()).text).toContain('Notes of mine');
    expect((await refusal(client('another').files.get({ name }))).status).toBe(403);
    await files.delete({ name });
    expect((await refusal(read())).status).toBe(403);
    const behave = (body: object) =>
      fetch(`${emulator.url}/__control/files`, { method: 'POST', body: JSON.stringify(body) });
    await behave({ processing: 1 });
    const slow = await files.upload({ file: new Blob(['b']), config });
    expect(slow.state).toBe('PROCESSING');
    expect((await files.get({ name: slow.name ?? '' })).state).toBe('ACTIVE');
    await behave({ lifeMs: 0, processing: 0 });
    const gone = await files.upload({ file: new Blob(['c']), config });
    expect((await refusal(files.get({ name: gone.name ?? '' }))).status).toBe(403);
  });
});

/** One pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
