import fc from 'fast-check';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiUser } from '#test/api.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { draft, refusal, waitForEnd } from '#test/chat/chat.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { FakeClock } from '#test/fake-clock.ts';
import { runs } from '#test/runs.ts';

const LIMIT = 4;
const RUNNING = 3;
const DAY_MS = 86_400_000;
const TODAY = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const TOMORROW = new Date(TODAY + DAY_MS).toISOString();
const MODEL = 'gemini-2.5-flash-lite';

/** Prompts, and whether what becomes of them counts: free, worked for by the provider, and caused by no one. */
const PROMPTS: Record<string, boolean> = {
  '/emulate only-reasoning': true,
  '/emulate blocked-after-text': true,
  '/emulate mid-stream-error': false,
  '/emulate http-400': false,
  'What is the capital of France?': false,
};
const THOUGHTS = '/emulate only-reasoning';

const clock = new FakeClock(TODAY + DAY_MS / 4);
let app: TestApp;
beforeAll(async () => {
  const env = { UNANSWERED_LIMIT: String(LIMIT), MAX_RUNNING_PER_USER: String(RUNNING) };
  app = await createTestApp({ env, clock });
});
afterAll(async () => {
  await expectNoDrift(app.database.database.sql);
  await app.close();
});

type Sender = Awaited<ReturnType<typeof apiUser>>;
type Way = 'web' | 'api';

/** A user with a key, and more credits than a test spends. */
async function richUser(): Promise<Sender> {
  const made = await apiUser(app);
  await app.database.database.sql`
    select credit.grant_credits(${made.user.userId}, 'subscription', 'test:rich', 'test:rich', null, 10000, ${clock.now()},
      ${new Date(clock.now().getTime() + 30 * DAY_MS)}, 'subscription', ${clock.now()})`;
  return made;
}

/** Sends a prompt and waits for the end; says with what code it was refused, null when it was let in. */
async function send({ user, client }: Sender, way: Way, content: string): Promise<string | null> {
  if (way === 'web') {
    const one = draft({ content });
    const response = await user.post('/api/messages', one);
    if (response.status !== 201) return (await refusal(response)).code;
    await waitForEnd(user, one.id);
    return null;
  }
  try {
    await client.chat.completions.create({ model: MODEL, messages: [{ role: 'user', content }] });
    return null;
  } catch (error) {
    if (!(error instanceof OpenAI.APIError)) throw error;
    return error.status === 429 ? String(error.code) : null;
  }
}

async function counted({ user }: Sender): Promise<number> {
  const [row] = await app.database.database.sql<{ messages: number }[]>`
    select messages from unanswered where user_id = ${user.userId} and day = (${clock.now()}::timestamptz at time zone 'UTC')::date`;
  return row?.messages ?? 0;
}

const sends = fc.record({
  way: fc.constantFrom<Way>('web', 'api'),
  content: fc.constantFrom(...Object.keys(PROMPTS), THOUGHTS, THOUGHTS),
});

test('whatever is sent by whatever way, at most the limit and what runs at once ends without an answer, and nothing but that is refused', async () => {
  let reached = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(sends, { minLength: 1, maxLength: 2 * RUNNING }), { minLength: 1, maxLength: 5 }),
      async (batches) => {
        const sender = await richUser();
        for (const batch of batches) {
          const before = await counted(sender);
          const refusals = await Promise.all(batch.map((one) => send(sender, one.way, one.content)));
          const letIn = batch.filter((_, index) => refusals[index] === null);
          const after = await counted(sender);
          expect(after - before).toBe(letIn.filter(({ content }) => PROMPTS[content]).length);
          expect(after).toBeLessThan(LIMIT + RUNNING);
          if (before >= LIMIT) {
            expect(new Set(refusals)).toEqual(new Set(['too_many_unanswered']));
            reached += 1;
          } else if (before + batch.length <= LIMIT) {
            expect(refusals).not.toContain('too_many_unanswered');
          }
        }
      },
    ),
    { numRuns: runs(25) },
  );
  expect(reached).toBeGreaterThan(0);
}, 240_000);

test('a stop before the first word counts once the model has thought', async () => {
  const sender = await richUser();
  const { user } = sender;
  const silent = draft({ content: '/emulate slow-first-token ms=60000' });
  await user.post('/api/messages', silent);
  await user.post(`/api/messages/${silent.id}/stop`);
  await waitForEnd(user, silent.id);
  expect(await counted(sender)).toBe(0);

  await app.gemini.pace({ ttftMs: 2, gapMs: 50, jitter: 0 });
  const thinking = draft({ content: '/emulate reasoning' });
  await user.post('/api/messages', thinking);
  await expect.poll(() => app.deps.generation.find(thinking.id)?.hasPieces, { interval: 5 }).toBe(true);
  const stopped = await user.post(`/api/messages/${thinking.id}/stop`);
  expect(await stopped.json()).toMatchObject({ status: 'stopped', creditsUsed: 0, response: '' });
  expect(await counted(sender)).toBe(1);
  await app.gemini.pace({ ttftMs: 2, gapMs: 0.2, jitter: 0 });
});

test('the refusal says until when, on the web and under /v1, and the next day goes on', async () => {
  const sender = await richUser();
  for (let count = 0; count < LIMIT; count += 1) await send(sender, 'web', THOUGHTS);
  const response = await sender.user.post('/api/messages', draft());
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refusal(response)).toEqual({
    status: 429,
    code: 'too_many_unanswered',
    params: { limit: LIMIT, until: TOMORROW, seconds: expect.any(Number) },
  });
  const error = await sender.client.chat.completions
    .create({ model: MODEL, messages: [{ role: 'user', content: 'Hello' }] })
    .catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(OpenAI.RateLimitError);
  const { code, message, headers } = error as InstanceType<typeof OpenAI.APIError>;
  expect(code).toBe('too_many_unanswered');
  expect(message).toContain(TOMORROW);
  expect(headers?.get('x-should-retry')).toBe('false');

  const other = await richUser();
  expect(await send(other, 'api', 'Hello')).toBeNull();
  clock.moveTo(TODAY + DAY_MS);
  expect(await send(sender, 'api', 'Hello')).toBeNull();
  expect(await counted(sender)).toBe(0);
});
