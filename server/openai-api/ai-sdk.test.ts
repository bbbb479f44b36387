import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, streamText } from 'ai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiUser } from '#test/api.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { creditsOf } from '#test/chat/chat.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

test('the AI SDK gets whole and streamed answers with its own defaults', async () => {
  const { user, key } = await apiUser(app);
  const parley = createOpenAICompatible({
    name: 'parley',
    baseURL: `${app.url}/v1`,
    apiKey: key,
    includeUsage: true,
  });
  const model = parley('gemini-2.5-flash-lite');
  const prompt = 'What is the capital of France?';
  const whole = await generateText({ model, instructions: 'Be brief.', prompt });
  const stream = streamText({ model, instructions: 'Be brief.', prompt });
  let text = '';
  for await (const piece of stream.textStream) text += piece;
  expect(text).toBe(whole.text);
  expect(whole.finishReason).toBe('stop');
  expect(whole.usage.inputTokens).toBeGreaterThan(0);
  expect(await stream.usage).toMatchObject({ inputTokens: whole.usage.inputTokens });
  expect(await creditsOf(user)).toBe(24);
});

test('what the AI SDK is told about a fault is ours', async () => {
  const { key } = await apiUser(app);
  const parley = createOpenAICompatible({ name: 'parley', baseURL: `${app.url}/v1`, apiKey: key });
  const asked = generateText({ model: parley('parley-pro'), prompt: 'Hello', maxRetries: 0 });
  await expect(asked).rejects.toMatchObject({ statusCode: 403, message: /plan doesn’t include/ });
});
