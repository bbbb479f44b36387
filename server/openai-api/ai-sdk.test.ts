import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount, Output, streamText, tool } from 'ai';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { apiUser, makeKey } from '#test/api.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { creditsOf } from '#test/chat/chat.ts';
import { insertSubscription } from '#test/factories.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
beforeEach(() => app.gemini.reset());
afterAll(() => app.close());

/** Functions as a program of the AI SDK has them; `asked` is what they were called with. */
function weatherTools() {
  const asked: string[] = [];
  const get_weather = tool({
    description: 'The weather of a place',
    inputSchema: z.object({ place: z.string() }),
    execute: ({ place }) => {
      asked.push(place);
      return { place, degrees: 21 };
    },
  });
  return { asked, tools: { get_weather } };
}

function providerOf(key: string) {
  return createOpenAICompatible({
    name: 'parley',
    baseURL: `${app.url}/v1`,
    apiKey: key,
    includeUsage: true,
    supportsStructuredOutputs: true,
  });
}

test('the AI SDK calls functions in parallel and over several steps, whole and streamed', async () => {
  const { user, key } = await apiUser(app);
  const model = providerOf(key)('gemini-2.5-flash-lite');
  const prompt = '/emulate calls steps=2 count=2 What is the weather in Paris and Rome?';
  const whole = weatherTools();
  const answer = await generateText({ model, prompt, tools: whole.tools, stopWhen: isStepCount(5) });
  expect(answer.steps.map((step) => step.finishReason)).toEqual(['tool-calls', 'tool-calls', 'stop']);
  expect(whole.asked).toEqual(['Paris', 'Rome', 'Paris', 'Rome']);
  expect(answer.text).toContain('21');
  const streamed = weatherTools();
  const once = prompt.replace('steps=2', 'steps=1');
  const stream = streamText({ model, prompt: once, tools: streamed.tools, stopWhen: isStepCount(5) });
  expect(await stream.text).toContain('21');
  expect(streamed.asked).toEqual(['Paris', 'Rome']);
  expect(await creditsOf(user)).toBe(0);
  const bodies = (await app.gemini.requests()).map(({ body }) => JSON.stringify(body));
  expect(bodies.filter((body) => body.includes('sig/'))).toHaveLength(3);
  expect(bodies.join('')).not.toContain('skip_thought_signature_validator');
});

test('the AI SDK gets objects by its own schemas', async () => {
  const { key } = await apiUser(app);
  const output = Output.object({
    schema: z.object({ month: z.enum(['November']), days: z.array(z.number()) }),
  });
  const model = providerOf(key)('gemini-2.5-flash-lite');
  const answer = await generateText({ model, output, prompt: 'When do the leaves turn red?' });
  expect(answer.output).toEqual({ month: 'November', days: [expect.any(Number)] });
});

test('the AI SDK tells a model how much to think, and is told what it thought', async () => {
  const { user } = await apiUser(app);
  await insertSubscription(app.database.database.sql, user.userId);
  const { key } = await makeKey(user);
  await app.gemini.scenario('reasoning');
  const model = providerOf(key)('parley-flash');
  const answer = await generateText({ model, prompt: 'Hello', reasoning: 'minimal' });
  expect(answer.reasoningText?.length).toBeGreaterThan(5);
  expect((await app.gemini.requests()).at(-1)?.body).toMatchObject({
    generationConfig: { thinkingConfig: { thinkingLevel: 'LOW' } },
  });
});

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
