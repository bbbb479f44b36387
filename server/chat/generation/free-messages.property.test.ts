import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '#contract/time.ts';
import { apiUser, makeKey, openaiClient } from '#test/api.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { draft, refusal, waitForEnd } from '#test/chat/chat.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { FakeClock } from '#test/fake-clock.ts';
import { runs } from '#test/runs.ts';

const LIMIT = 4;
const UNCHARGED = 7;
const RUNNING = 3;
/** Two days ago: sessions begin by the real clock, and must still be fresh on the day after. */
const TODAY = (Math.floor(Date.now() / DAY_MS) - 2) * DAY_MS;
const TOMORROW = new Date(TODAY + DAY_MS).toISOString();
const MODEL = 'gemini-2.5-flash-lite';

interface Counts {
  unanswered: number;
  uncharged: number;
}

const BLOCKED = '/emulate blocked-after-text';
const SILENT = '/emulate slow-first-token ms=60000';
/** Prompts, and what becomes of them counts as; the silent one is stopped. */
const PROMPTS: Record<string, Counts> = {
  [BLOCKED]: { unanswered: 1, uncharged: 1 },
  [SILENT]: { unanswered: 0, uncharged: 1 },
  '/emulate only-reasoning': { unanswered: 0, uncharged: 1 },
  '/emulate malformed': { unanswered: 0, uncharged: 1 },
  '/emulate mid-stream-error': { unanswered: 0, uncharged: 0 },
  '/emulate http-400': { unanswered: 0, uncharged: 0 },
  'What is the capital of France?': { unanswered: 0, uncharged: 0 },
};

const POLL = { interval: 5 };
const sql = () => app.database.database.sql;

const clock = new FakeClock(TODAY + DAY_MS / 4);
let app: TestApp;
beforeAll(async () => {
  const env = {
    UNANSWERED_LIMIT: String(LIMIT),
    UNCHARGED_LIMIT: String(UNCHARGED),
    MAX_RUNNING_PER_USER: String(RUNNING),
  };
  app = await createTestApp({ env, clock });
});
afterAll(async () => {
  await expectNoDrift(app.database.database.sql);
  await app.close();
});

const WAYS = ['web', 'key', 'other key'] as const;
type Way = (typeof WAYS)[number];
type Sender = Awaited<ReturnType<typeof richUser>>;

/** A user with two keys, and more credits than a test spends. */
async function richUser() {
  const { user, keyId, client } = await apiUser(app);
  const other = await makeKey(user);
  await sql()`
    select credit.grant_credits(${user.userId}, 'subscription', 'test:rich', 'test:rich', null, 10000, ${clock.now()},
      ${new Date(clock.now().getTime() + 30 * DAY_MS)}, 'subscription', ${clock.now()})`;
  return {
    user,
    keys: {
      key: { id: keyId, client },
      'other key': { id: other.id, client: openaiClient(app, other.key) },
    },
  };
}

/** Sends a prompt, stops the silent one, and waits for the end; says with what code it was refused, null when it was let in. */
async function send(sender: Sender, way: Way, content: string): Promise<string | null> {
  if (way !== 'web') return complete(sender.keys[way].client, content);
  const { user } = sender;
  const one = draft({ content });
  const response = await user.post('/api/messages', one);
  if (response.status !== 201) return (await refusal(response)).code;
  if (content === SILENT) {
    await expect.poll(() => app.deps.generation.find(one.id)?.isAsked, POLL).toBe(true);
    await user.post(`/api/messages/${one.id}/stop`);
  }
  await waitForEnd(user, one.id);
  return null;
}

/** As `send` by a key; the silent one is stopped by cutting the call. */
async function complete(client: OpenAI, content: string): Promise<string | null> {
  const idempotencyKey = randomUUID();
  const call = new AbortController();
  let failure: unknown = null;
  const done = client.chat.completions
    .create(
      { model: MODEL, messages: [{ role: 'user', content }] },
      { signal: call.signal, headers: { 'idempotency-key': idempotencyKey } },
    )
    .catch((error: unknown) => {
      failure = error;
    });
  if (content === SILENT) {
    await expect.poll(async () => failure !== null || (await isAsked(idempotencyKey)), POLL).toBe(true);
    call.abort();
    await expect.poll(() => isRunning(idempotencyKey), POLL).toBe(false);
  }
  await done;
  if (failure !== null && !(failure instanceof OpenAI.APIError)) throw failure;
  return failure instanceof OpenAI.RateLimitError ? String(failure.code) : null;
}

async function isAsked(idempotencyKey: string): Promise<boolean> {
  const [row] = await sql()<{ id: string }[]>`
    select message_id as id from api_requests where idempotency_key = ${idempotencyKey}`;
  return row !== undefined && app.deps.generation.find(row.id)?.isAsked === true;
}

async function isRunning(idempotencyKey: string): Promise<boolean> {
  const rows = await sql()`
    select from api_requests r join messages m on m.id = r.message_id
     where r.idempotency_key = ${idempotencyKey} and m.status = 'running'`;
  return rows.length > 0;
}

/** What the day counts of a user, by the way of sending. */
async function counted({ user, keys }: Sender): Promise<Record<Way, Counts>> {
  const rows = await sql()<(Counts & { keyId: string | null })[]>`
    select ended_by_user as "unanswered", uncharged, key_id as "keyId" from free_messages
     where user_id = ${user.userId} and day = (${clock.now()}::timestamptz at time zone 'UTC')::date`;
  const of = (id: string | null) => {
    const row = rows.find(({ keyId }) => keyId === id);
    return { unanswered: row?.unanswered ?? 0, uncharged: row?.uncharged ?? 0 };
  };
  return { web: of(null), key: of(keys.key.id), 'other key': of(keys['other key'].id) };
}

const add = (one: Counts, other: Counts): Counts => ({
  unanswered: one.unanswered + other.unanswered,
  uncharged: one.uncharged + other.uncharged,
});
const NOTHING: Counts = { unanswered: 0, uncharged: 0 };
const WHOLE: Counts = { unanswered: LIMIT, uncharged: UNCHARGED };
const PART: Counts = { unanswered: Math.ceil(LIMIT / 2), uncharged: Math.ceil(UNCHARGED / 2) };
const reaches = (counts: Counts, limit: Counts, more = 0) =>
  counts.unanswered + more >= limit.unanswered || counts.uncharged + more >= limit.uncharged;

/** Whether a way has reached its bound, or would with `more`: the browser its own, a key its part or, with the others, that of all keys. */
function isOver(counts: Record<Way, Counts>, way: Way, more = 0): boolean {
  if (way === 'web') return reaches(counts.web, WHOLE, more);
  return reaches(counts[way], PART, more) || reaches(add(counts.key, counts['other key']), WHOLE, more);
}

/** One way in a run prevails, so that its bound is met. */
const sends = (favourite: Way) =>
  fc.record({
    way: fc.constantFrom<Way>(...WAYS, favourite, favourite, favourite, favourite),
    content: fc.constantFrom(...Object.keys(PROMPTS), BLOCKED, BLOCKED, SILENT),
  });

/** One message more than a way may send that are blocked, one after the other. */
const overLimit = (way: Way) => Array.from({ length: LIMIT + 1 }, () => [{ way, content: BLOCKED }]);

test('whatever is sent by whatever way, at most the limits and what runs at once is free without an answer, and no other way is refused', async () => {
  const refused = new Map<Way, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...WAYS).chain((way) =>
        fc.array(fc.array(sends(way), { minLength: 1, maxLength: RUNNING }), {
          minLength: 1,
          maxLength: 12,
        }),
      ),
      async (batches) => {
        const sender = await richUser();
        for (const batch of batches) {
          const before = await counted(sender);
          const refusals = await Promise.all(batch.map((one) => send(sender, one.way, one.content)));
          const after = await counted(sender);
          for (const way of WAYS) {
            const letIn = batch.filter((one, index) => one.way === way && refusals[index] === null);
            const expected = letIn.reduce(
              (sum, one) => add(sum, PROMPTS[one.content] ?? NOTHING),
              before[way],
            );
            expect(after[way]).toEqual(expected);
            const said = new Set(refusals.filter((_, index) => batch[index]?.way === way));
            if (isOver(before, way)) {
              for (const code of said) expect(code).toBe('too_many_unanswered');
              if (said.size > 0) refused.set(way, (refused.get(way) ?? 0) + 1);
            } else if (!isOver(before, way, batch.length)) {
              expect(said).not.toContain('too_many_unanswered');
            }
          }
          const keys = add(after.key, after['other key']);
          for (const counts of [after.web, keys]) {
            expect(counts.unanswered).toBeLessThan(LIMIT + RUNNING);
            expect(counts.uncharged).toBeLessThan(UNCHARGED + RUNNING);
          }
        }
      },
    ),
    // Each way meets its bound at least once, whatever chance brings.
    { numRuns: runs(10, 125), examples: WAYS.map((way) => [overLimit(way)]) },
  );
  expect([...refused.keys()]).toEqual(expect.arrayContaining([...WAYS]));
}, 240_000);

test('a key that has used up its part leaves the browser and another key theirs', async () => {
  const sender = await richUser();
  for (let count = 0; count < PART.unanswered; count += 1)
    expect(await send(sender, 'key', BLOCKED)).toBeNull();
  expect(await send(sender, 'key', 'Hello')).toBe('too_many_unanswered');
  expect(await send(sender, 'other key', BLOCKED)).toBeNull();
  expect(await send(sender, 'web', 'Hello')).toBeNull();
});

test('a stop before the first word counts once the model has thought', async () => {
  const sender = await richUser();
  const { user } = sender;
  const silent = draft({ content: '/emulate slow-first-token ms=60000' });
  await user.post('/api/messages', silent);
  await user.post(`/api/messages/${silent.id}/stop`);
  await waitForEnd(user, silent.id);
  expect((await counted(sender)).web.unanswered).toBe(0);

  await app.gemini.pace({ ttftMs: 2, gapMs: 50, jitter: 0 });
  const thinking = draft({ content: '/emulate reasoning' });
  await user.post('/api/messages', thinking);
  await expect.poll(() => app.deps.generation.find(thinking.id)?.hasPieces, POLL).toBe(true);
  const stopped = await user.post(`/api/messages/${thinking.id}/stop`);
  expect(await stopped.json()).toMatchObject({ status: 'stopped', creditsUsed: 0, response: '' });
  expect((await counted(sender)).web.unanswered).toBe(1);
  await app.gemini.pace();
});

test.each([
  ['answers that were blocked', BLOCKED, 'web', LIMIT],
  ['stops before the first word', SILENT, 'web', UNCHARGED],
  ['answers that the provider left empty', '/emulate only-reasoning', 'web', UNCHARGED],
  ['answers that were blocked', BLOCKED, 'key', PART.unanswered],
  ['calls that were cut', SILENT, 'key', PART.uncharged],
] as const)(
  'after too many %s (%s, %s) the refusal says how many and until when',
  async (_, content, way, limit) => {
    const sender = await richUser();
    for (let count = 0; count < limit; count += 1) expect(await send(sender, way, content)).toBeNull();
    if (way === 'web') {
      const response = await sender.user.post('/api/messages', draft());
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await refusal(response)).toEqual({
        status: 429,
        code: 'too_many_unanswered',
        params: { limit, until: TOMORROW, seconds: expect.any(Number) },
      });
    } else {
      const error = await sender.keys[way].client.chat.completions
        .create({ model: MODEL, messages: [{ role: 'user', content: 'Hello' }] })
        .catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(OpenAI.RateLimitError);
      const { code, message, headers } = error as InstanceType<typeof OpenAI.APIError>;
      expect(code).toBe('too_many_unanswered');
      expect(message).toContain(TOMORROW);
      expect(message).toMatch(new RegExp(`(^|\\s)${limit}\\s`));
      expect(headers?.get('x-should-retry')).toBe('false');
    }
  },
);

test('a conversation that is deleted while its answer is waited for counts as stopped', async () => {
  const sender = await richUser();
  const silent = draft({ content: SILENT });
  await sender.user.post('/api/messages', silent);
  await expect.poll(() => app.deps.generation.find(silent.id)?.isAsked, POLL).toBe(true);
  expect((await sender.user.delete(`/api/conversations/${silent.conversationId}`)).status).toBeLessThan(300);
  await expect.poll(async () => (await counted(sender)).web).toEqual({ unanswered: 0, uncharged: 1 });
});

test('the next day goes on, and another user was never concerned', async () => {
  const sender = await richUser();
  const other = await richUser();
  for (let count = 0; count < LIMIT; count += 1) expect(await send(sender, 'web', BLOCKED)).toBeNull();
  expect(await send(sender, 'web', 'Hello')).toBe('too_many_unanswered');
  expect(await send(other, 'web', 'Hello')).toBeNull();
  clock.moveTo(TODAY + DAY_MS);
  expect(await send(sender, 'web', 'Hello')).toBeNull();
  expect((await counted(sender)).web).toEqual(NOTHING);
});
