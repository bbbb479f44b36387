import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ErrorCode } from '#contract/errors.ts';
import type { ScenarioName } from '#emulators/scenario.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask, creditsOf } from '#test/chat/chat.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { inTurn } from '#test/runs.ts';

let app: TestApp;
/** With the usual time-outs: faults that are tried again take longer on a busy machine than the short ones. */
let patient: TestApp;
beforeAll(async () => {
  patient = await createTestApp();
  app = await createTestApp({
    env: {
      UPSTREAM_FIRST_TOKEN_TIMEOUT_MS: '4000',
      UPSTREAM_IDLE_TIMEOUT_MS: '1500',
      UPSTREAM_TOTAL_TIMEOUT_MS: '9000',
      UPSTREAM_CONNECT_TIMEOUT_MS: '4000',
    },
  });
});
afterAll(async () => {
  await Promise.all([app.close(), patient.close()]);
});

type Fault = [scenario: ScenarioName, code: ErrorCode, text: RegExp];
const NOTHING = /^$/;
const SOMETHING = /\S/;

const FAULTS: Fault[] = [
  ['http-400', 'upstream_failed', NOTHING],
  ['bad-key', 'upstream_failed', NOTHING],
  ['http-402', 'upstream_failed', NOTHING],
  ['http-403', 'upstream_failed', NOTHING],
  ['http-429', 'upstream_failed', NOTHING],
  ['http-500', 'upstream_failed', NOTHING],
  ['http-503', 'upstream_failed', NOTHING],
  ['http-529', 'upstream_failed', NOTHING],
  ['drop-connection', 'upstream_failed', NOTHING],
  ['no-headers', 'upstream_timeout', NOTHING],
  ['slow-first-token', 'upstream_timeout', NOTHING],
  ['silent', 'upstream_timeout', SOMETHING],
  ['endless-comments', 'upstream_timeout', NOTHING],
  ['never-ends', 'upstream_timeout', SOMETHING],
  ['blocked-prompt', 'upstream_blocked', NOTHING],
  ['blocked-answer', 'upstream_blocked', NOTHING],
  ['blocked-after-text', 'upstream_blocked', SOMETHING],
  ['empty', 'upstream_empty', NOTHING],
  ['whitespace', 'upstream_empty', /^\s*$/],
  ['only-reasoning', 'upstream_empty', NOTHING],
  ['cut-off', 'upstream_failed', SOMETHING],
  ['no-finish', 'upstream_failed', SOMETHING],
  ['malformed', 'upstream_failed', SOMETHING],
  ['mid-stream-error', 'upstream_failed', SOMETHING],
  ['model-error', 'upstream_failed', NOTHING],
  ['huge-line', 'upstream_failed', SOMETHING],
];

test('every fault of the upstream is told, keeps its partial text, and is released', async () => {
  const tried = inTurn(FAULTS, 0, 3);
  const told = await Promise.all(
    tried.map(async ([scenario, code, text]) => {
      const user = await (code === 'upstream_timeout' ? app : patient).signedIn();
      const ended = await ask(user, { content: `/emulate ${scenario}` });
      expect.soft(ended, scenario).toMatchObject({ status: 'failed', creditsUsed: 0, error: { code } });
      expect.soft(ended.response, scenario).toMatch(text);
      expect.soft(ended.error?.message, scenario).toMatch(/\S/);
      expect.soft(await creditsOf(user), scenario).toBe(40);
      return scenario;
    }),
  );
  expect(told).toHaveLength(tried.length);
  for (const { database } of [app, patient]) await expectNoDrift(database.database.sql);
});

test.each([
  'refusal',
  'duplicate-finish',
  'comment-flood',
  'byte-by-byte',
  'huge-usage',
  'negative-usage',
  'max-tokens',
] as const)('an answer with %s is an answer', async (scenario) => {
  const user = await patient.signedIn();
  const ended = await ask(user, { content: `/emulate ${scenario}` });
  expect(ended).toMatchObject({ status: 'completed', creditsUsed: 8, error: null });
  expect(ended.response).toMatch(SOMETHING);
});

test.each([
  ['max-tokens', { status: 'completed', finishReason: 'length', creditsUsed: 8 }],
  ['blocked-after-text', { status: 'failed', finishReason: 'content_filter', creditsUsed: 0 }],
  ['duplicate-finish', { status: 'completed', finishReason: 'stop', creditsUsed: 8 }],
] as const)('why the model stopped with %s is kept with the message', async (scenario, expected) => {
  const user = await patient.signedIn();
  const ended = await ask(user, { content: `/emulate ${scenario}` });
  expect(ended).toMatchObject(expected);
  const page = await user.request(`/api/messages?conversationId=${ended.conversationId}`);
  expect(await page.json()).toMatchObject({ messages: [expected] });
});

test('an error is told in the reader’s language', async () => {
  const user = await patient.signedIn();
  const { conversationId } = await ask(user, { content: '/emulate http-400' });
  const read = async (language: string) => {
    const page = await user.request(`/api/messages?conversationId=${conversationId}`, {
      headers: { 'accept-language': language },
    });
    return ((await page.json()) as { messages: { error: { message: string } }[] }).messages[0]?.error.message;
  };
  expect(await read('en')).toMatch(/You were not charged/);
  expect(await read('zh')).toMatch(/[\u4e00-\u9fff]/);
});
