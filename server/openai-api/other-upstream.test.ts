import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Emulator } from '#emulators/http-server.ts';
import { startOpenaiEmulator } from '#emulators/openai/openai-emulator.ts';
import { apiUser } from '#test/api.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { creditsOf } from '#test/chat/chat.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { controlEmulator, type EmulatorControl } from '#test/emulator-control.ts';

const ask = {
  model: 'gemini-2.5-flash-lite',
  messages: [{ role: 'user' as const, content: 'What is the capital of France?' }],
};

let folder: string;
let emulator: Emulator;
let upstream: EmulatorControl;
let app: TestApp;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-models-'));
  emulator = await startOpenaiEmulator({ port: 0 });
  upstream = controlEmulator(emulator.url);
  const route = {
    dialect: 'openai-compatible',
    model: 'deepseek-chat',
    baseUrl: `${emulator.url}/v1`,
    keyVariable: 'DEEPSEEK_API_KEY',
    sampling: true,
  };
  const file = join(folder, 'models.json');
  writeFileSync(file, JSON.stringify({ [ask.model]: [route] }));
  app = await createTestApp({
    env: {
      MODELS_FILE: file,
      DEEPSEEK_API_KEY: 'good',
      UPSTREAM_FIRST_TOKEN_TIMEOUT_MS: '3000',
      UPSTREAM_IDLE_TIMEOUT_MS: '1000',
    },
  });
});
beforeEach(async () => {
  await upstream.reset();
  await upstream.pace({ ttftMs: 2, gapMs: 0.2, jitter: 0 });
});
afterAll(async () => {
  await expectNoDrift(app.database.database.sql);
  await app.close();
  await emulator.close();
  rmSync(folder, { recursive: true });
});

test('sampling, seed, stop and limits reach an OpenAI-compatible provider as they came', async () => {
  const { client } = await apiUser(app);
  const sampling = { temperature: 0.3, top_p: 0.8, seed: 5, stop: 'END', max_tokens: 64 };
  const answer = await client.chat.completions.create({ ...ask, ...sampling });
  expect(answer.choices[0]?.message.content?.length).toBeGreaterThan(5);
  expect((await upstream.requests()).at(-1)?.body).toMatchObject({ ...sampling, stop: ['END'] });
});

test('thinking is told apart from the answer', async () => {
  const { client } = await apiUser(app);
  await upstream.scenario('reasoning');
  const answer = await client.chat.completions.create(ask);
  const message = answer.choices[0]?.message as { reasoning_content?: string; content: string };
  expect(message.reasoning_content?.length).toBeGreaterThan(0);
  expect(message.content).not.toContain(message.reasoning_content);
});

test.for([
  ['http-401', 502, 'upstream_failed'],
  ['http-429', 502, 'upstream_failed'],
  ['http-503', 502, 'upstream_failed'],
  ['drop-connection', 502, 'upstream_failed'],
  ['malformed', 502, 'upstream_failed'],
  ['empty', 502, 'upstream_empty'],
  ['blocked-prompt', 400, 'content_filter'],
  ['silent', 504, 'upstream_timeout'],
] as const)('a provider that answers %s is a fault %d, and free', async ([scenario, status, code]) => {
  const { user, client } = await apiUser(app);
  await upstream.scenario(scenario, { times: null });
  for (const stream of [false, true]) {
    const read = async () => {
      const answer = await client.chat.completions.create({ ...ask, stream });
      if (Symbol.asyncIterator in answer) for await (const _ of answer);
    };
    const error = await read().catch((caught: { status?: number; code: string }) => caught);
    expect(error).toMatchObject({ code });
    if (error?.status !== undefined) expect(error).toMatchObject({ status });
  }
  expect(await creditsOf(user)).toBe(40);
});
