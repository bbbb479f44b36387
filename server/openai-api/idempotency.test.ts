import { randomUUID } from 'node:crypto';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { apiUser, makeKey, openaiClient } from '#test/api.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { creditsOf } from '#test/chat/chat.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';

const ask = (content = 'What is the capital of France?') => ({
  model: 'gemini-2.5-flash-lite',
  messages: [{ role: 'user' as const, content }],
});
const under = (key: string) => ({ headers: { 'idempotency-key': key } });

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
beforeEach(async () => {
  await app.gemini.reset();
  await app.gemini.pace({ ttftMs: 30, gapMs: 1, jitter: 0 });
});
afterAll(async () => {
  await expectNoDrift(app.database.database.sql);
  await app.close();
});

async function streamed(client: OpenAI, key: string): Promise<string> {
  const stream = await client.chat.completions.create({ ...ask(), stream: true }, under(key));
  let text = '';
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
  return text;
}

test('twenty at once under one key are one request, one answer and one charge, streamed or not', async () => {
  const { user, client } = await apiUser(app);
  const key = randomUUID();
  const texts = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      if (index % 2 === 0) return streamed(client, key);
      const whole = await client.chat.completions.create(ask(), under(key));
      return whole.choices[0]?.message.content;
    }),
  );
  expect(new Set(texts).size).toBe(1);
  expect(texts[0]?.length).toBeGreaterThan(10);
  expect(await creditsOf(user)).toBe(32);
  expect((await app.gemini.requests()).filter(({ path }) => path.includes('stream'))).toHaveLength(1);
});

test('the same key with another body is refused, and not tried again by the client', async () => {
  const { user, key: apiKey, client } = await apiUser(app);
  const key = randomUUID();
  await client.chat.completions.create(ask(), under(key));
  const patient = openaiClient(app, apiKey, 5);
  const other = patient.chat.completions.create(ask('Something else'), under(key));
  await expect(other).rejects.toMatchObject({ status: 409, code: 'idempotency_key_reused' });
  await expect(other).rejects.toBeInstanceOf(OpenAI.ConflictError);
  expect(await creditsOf(user)).toBe(32);
});

test('what was answered under it is refused to an API key that may not use its model', async () => {
  const { user, client } = await apiUser(app);
  const name = randomUUID();
  const { id } = await client.chat.completions.create(ask(), under(name));
  const clientOf = async (models: string[]) => openaiClient(app, (await makeKey(user, { models })).key);
  const narrow = await clientOf(['parley-flash']);
  const refused = narrow.chat.completions.create(ask(), under(name));
  await expect(refused).rejects.toMatchObject({ status: 403, code: 'model_not_allowed' });
  const wide = await clientOf([ask().model]);
  expect((await wide.chat.completions.create(ask(), under(name))).id).toBe(id);
});

test('the same key is another user’s own', async () => {
  const key = randomUUID();
  const [one, two] = [await apiUser(app), await apiUser(app)];
  const first = await one.client.chat.completions.create(ask(), under(key));
  const second = await two.client.chat.completions.create(ask('Mine'), under(key));
  expect(second.id).not.toBe(first.id);
  expect(await creditsOf(two.user)).toBe(32);
});

test('the answer is given again after a restart and when its events are gone', async () => {
  const { user, key: apiKey, client } = await apiUser(app);
  const key = randomUUID();
  const first = await client.chat.completions.create(ask(), under(key));
  const restarted = await createTestApp({ beside: app });
  await app.database.database.sql`delete from message_events`;
  const again = openaiClient(restarted, apiKey);
  expect(await again.chat.completions.create(ask(), under(key))).toEqual(first);
  expect(await streamed(again, key)).toBe(first.choices[0]?.message.content);
  await restarted.close();
  expect(await creditsOf(user)).toBe(32);
});

test('a second process joins the answer that another one runs', async () => {
  const { user, key: apiKey, client } = await apiUser(app);
  const other = await createTestApp({ beside: app });
  await app.gemini.pace({ ttftMs: 200, gapMs: 4, jitter: 0 });
  const key = randomUUID();
  const [one, two] = await Promise.all([streamed(client, key), streamed(openaiClient(other, apiKey), key)]);
  expect(two).toBe(one);
  await other.close();
  expect(await creditsOf(user)).toBe(32);
});

test('an attempt that failed cost nothing and is made again under its key', async () => {
  const { user, client } = await apiUser(app);
  const key = randomUUID();
  await app.gemini.scenario('http-400', { times: null });
  await expect(client.chat.completions.create(ask(), under(key))).rejects.toMatchObject({ status: 502 });
  await app.gemini.reset();
  const answer = await client.chat.completions.create(ask(), under(key));
  expect(answer.choices[0]?.finish_reason).toBe('stop');
  expect(await client.chat.completions.create(ask(), under(key))).toEqual(answer);
  expect(await creditsOf(user)).toBe(32);
});

test('a key that no header may be is refused', async () => {
  const { client } = await apiUser(app);
  const sent = client.chat.completions.create(ask(), under('x'.repeat(256)));
  await expect(sent).rejects.toMatchObject({ status: 400, param: 'Idempotency-Key' });
});

async function finishWhole(client: OpenAI) {
  return (await client.chat.completions.create(ask())).choices[0]?.finish_reason;
}

async function finishStreamed(client: OpenAI) {
  const reasons: unknown[] = [];
  const stream = await client.chat.completions.create({ ...ask(), stream: true });
  for await (const { choices } of stream) reasons.push(choices[0]?.finish_reason);
  return reasons.at(-1);
}

test.each([false, true])(
  'an answer whose beginning could not be confirmed is given to who pays for it; streamed: %s',
  async (stream) => {
    await app.gemini.pace({ ttftMs: 30, gapMs: 50, jitter: 0 });
    const { user, client } = await apiUser(app);
    const said = async () => {
      const [row] = await app.database.database.sql<{ id: string }[]>`
        select id from messages where user_id = ${user.userId}`;
      return app.deps.generation.find(row?.id ?? '')?.text ?? '';
    };
    const flush = vi.spyOn(app.deps.database, 'flush').mockImplementationOnce(async () => {
      await expect.poll(said).not.toBe('');
      throw Object.assign(new Error('the connection was closed'), { code: 'CONNECTION_CLOSED' });
    });
    const finish = stream ? await finishStreamed(client) : await finishWhole(client);
    flush.mockRestore();
    expect(finish).toBe('stop');
    expect(await creditsOf(user)).toBe(32);
  },
);

const lost = () => Object.assign(new Error('the connection was closed'), { code: 'CONNECTION_CLOSED' });

/** Has the next statement that contains `text` lose its connection. */
function loseNext(text: string): void {
  const { database } = app.deps;
  const { sql } = database;
  database.sql = new Proxy(sql, {
    apply(target, that, args) {
      if (!String(args[0]).includes(text)) return Reflect.apply(target, that, args);
      database.sql = sql;
      return Promise.reject(lost());
    },
  });
}

test('what was stored twice and whose credits cannot be read is streamed whole, and charged once', async () => {
  const { user, client } = await apiUser(app);
  const { pinned } = app.deps.database;
  const store = vi.spyOn(app.deps.database, 'pinned').mockImplementationOnce(async (run) => {
    await pinned(run);
    throw lost();
  });
  loseNext('credit.read_balance');
  const { data, response } = await client.chat.completions.create({ ...ask(), stream: true }).withResponse();
  const reasons: unknown[] = [];
  for await (const { choices } of data) reasons.push(choices[0]?.finish_reason);
  store.mockRestore();
  expect(reasons.at(-1)).toBe('stop');
  expect(response.headers.get('x-credits-charged')).toBe('8');
  expect(response.headers.get('x-credits-remaining')).toBeNull();
  expect(await creditsOf(user)).toBe(32);
});

test.each([false, true])(
  'an answer that is charged is given also where it cannot be read at first; streamed: %s',
  async (stream) => {
    const { user, client } = await apiUser(app);
    loseNext('r.prompt_tokens as "promptTokens"');
    expect(stream ? await finishStreamed(client) : await finishWhole(client)).toBe('stop');
    expect(await creditsOf(user)).toBe(32);
  },
);
