import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { apiUser, openaiClient } from '#test/api.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { creditsOf } from '#test/chat/chat.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { IS_LONG } from '#test/runs.ts';

const ask = (content = 'What is the capital of France?') => ({
  model: 'gemini-2.5-flash-lite',
  messages: [{ role: 'user' as const, content }],
});

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
beforeEach(async () => {
  await app.gemini.reset();
  await app.gemini.pace({ ttftMs: 50, gapMs: 30, jitter: 0 });
});
afterAll(async () => {
  await expectNoDrift(app.database.database.sql);
  await app.close();
});

const upstreamOpen = async () =>
  (await app.gemini.requests()).filter(({ endedAt, aborted }) => endedAt === null && !aborted);
const newest = async (userId: string) => {
  const [row] = await app.database.database.sql<{ id: string; status: string; creditsUsed: number }[]>`
    select id, status, credits_used as "creditsUsed" from messages where user_id = ${userId}
     order by created_at desc limit 1`;
  return row;
};

test('a client that leaves a stream midway stops it, and pays for the text it got', async () => {
  await app.gemini.pace({ ttftMs: 50, gapMs: 1_000, jitter: 0 });
  const { user, client } = await apiUser(app);
  const stream = await client.chat.completions.create({ ...ask(), stream: true });
  for await (const chunk of stream) {
    if (!chunk.choices[0]?.delta.content) continue;
    expect(await upstreamOpen()).toHaveLength(1);
    break;
  }
  await expect.poll(upstreamOpen).toHaveLength(0);
  await expect.poll(() => newest(user.userId)).toMatchObject({ status: 'stopped', creditsUsed: 8 });
  expect(await creditsOf(user)).toBe(32);
});

test('a client that leaves before the first token pays nothing, streamed or not', async () => {
  await app.gemini.pace({ ttftMs: 20_000, gapMs: 1, jitter: 0 });
  for (const stream of [true, false]) {
    const { user, client } = await apiUser(app);
    const controller = new AbortController();
    const sent = client.chat.completions.create({ ...ask(), stream }, { signal: controller.signal });
    await expect.poll(() => newest(user.userId)).toMatchObject({ status: 'running' });
    controller.abort();
    await expect(sent).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
    await expect.poll(() => newest(user.userId)).toMatchObject({ status: 'stopped', creditsUsed: 0 });
    expect(await creditsOf(user)).toBe(40);
  }
});

test('a session is not followed for a caller who left before the limit of requests was looked at', async () => {
  const { user } = await apiUser(app);
  const outgoing = new ServerResponse(new IncomingMessage(new Socket()));
  outgoing.destroy();
  await once(outgoing, 'close');
  const follow = vi.spyOn(app.deps.sessions, 'follow');
  const request = new Request(`${app.url}/api/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: await app.cookieOf(user.userId), origin: app.url },
    body: JSON.stringify(ask()),
  });
  await app.app.fetch(request, { outgoing });
  expect(await newest(user.userId)).toMatchObject({ creditsUsed: 0 });
  expect(follow).not.toHaveBeenCalled();
  follow.mockRestore();
});

test.runIf(IS_LONG)('of two that wait for one answer, one may leave', async () => {
  const { user, client } = await apiUser(app);
  const headers = { 'idempotency-key': 'two' };
  const body = { ...ask(), stream: true } as const;
  const first = await client.chat.completions.create(body, { headers });
  const second = await client.chat.completions.create(body, { headers });
  first.controller.abort();
  const reasons: unknown[] = [];
  for await (const chunk of second) reasons.push(chunk.choices[0]?.finish_reason);
  expect(reasons.at(-1)).toBe('stop');
  expect(await creditsOf(user)).toBe(32);
});

test('an answer that was left midway is told as cut short when it is asked for again', async () => {
  const { user, client } = await apiUser(app);
  const headers = { 'idempotency-key': 'left' };
  const stream = await client.chat.completions.create({ ...ask(), stream: true }, { headers });
  for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
  await expect.poll(() => newest(user.userId)).toMatchObject({ status: 'stopped' });
  const again = await client.chat.completions.create(ask(), { headers });
  expect(again.choices[0]?.finish_reason).toBe('length');
  expect(again.choices[0]?.message.content?.length).toBeGreaterThan(0);
  expect(await creditsOf(user)).toBe(32);
});

test('revoking a key ends its streams at once, also those of another process', async () => {
  const { user, key, keyId, client } = await apiUser(app);
  const other = await createTestApp({ beside: app });
  const begun = new Set<OpenAI>();
  const read = async (from: OpenAI) => {
    const reasons: unknown[] = [];
    const stream = await from.chat.completions.create({ ...ask(), stream: true });
    for await (const chunk of stream) {
      if (chunk.choices[0]?.delta.content) begun.add(from);
      reasons.push(chunk.choices[0]?.finish_reason);
    }
    return reasons.at(-1);
  };
  const ends = Promise.all([read(client), read(openaiClient(other, key))]);
  await expect.poll(() => begun.size).toBe(2);
  const revoked = await user.request(`/api/keys/${keyId}`, { method: 'DELETE' });
  expect(revoked.status).toBe(204);
  expect(await ends).toEqual(['length', 'length']);
  await expect(client.chat.completions.create(ask())).rejects.toMatchObject({ status: 401 });
  await other.close();
  expect(await creditsOf(user)).toBe(24);
});

test('a process that dies leaves nothing charged, and the answer can be asked for again', async () => {
  await app.gemini.pace({ ttftMs: 20_000, gapMs: 1, jitter: 0 });
  const { user, key, client } = await apiUser(app);
  const other = await createTestApp({ beside: app });
  const headers = { 'idempotency-key': 'died' };
  const lost = openaiClient(other, key).chat.completions.create(ask(), { headers });
  const told = expect(lost).rejects.toBeInstanceOf(OpenAI.APIError);
  await expect.poll(() => newest(user.userId)).toMatchObject({ status: 'running' });
  await other.stop();
  await told;
  expect(await newest(user.userId)).toMatchObject({ status: 'interrupted', creditsUsed: 0 });
  expect(await creditsOf(user)).toBe(40);
  await app.gemini.pace();
  expect((await client.chat.completions.create(ask(), { headers })).choices).toHaveLength(1);
  expect(await creditsOf(user)).toBe(32);
  await other.close();
});

test('a process that stops says that its streams were cut, and stops no answer of another process', async () => {
  await app.gemini.pace({ ttftMs: 50, gapMs: 100, jitter: 0 });
  const { user, key, client } = await apiUser(app);
  const other = await createTestApp({ beside: app });
  const headers = { 'idempotency-key': 'moved' };
  const asked = { ...ask(), stream: true } as const;
  const readToEnd = async (stream: AsyncIterable<OpenAI.ChatCompletionChunk>) => {
    let finish: string | null = null;
    for await (const { choices } of stream) finish = choices[0]?.finish_reason ?? finish;
    return finish;
  };
  const own = readToEnd(await client.chat.completions.create(asked, { headers }));
  const beside = openaiClient(other, key).chat.completions;
  const cut = [
    await beside.create(asked, { headers }),
    await beside.create({ ...ask('And of Spain?'), stream: true }),
  ];
  const told = cut.map((stream) => expect(readToEnd(stream)).rejects.toBeInstanceOf(OpenAI.APIError));
  await other.deps.generation.drain(0);
  other.deps.sse.close();
  await Promise.all(told);
  expect(await own).toBe('stop');
  expect(await creditsOf(user)).toBe(32);
  await other.close();
});

test('curl -N shows the text as it comes', async () => {
  const { key } = await apiUser(app);
  const curl = spawn('curl', [
    ...['-sN', `${app.url}/v1/chat/completions`, '-H', `authorization: Bearer ${key}`],
    ...['-H', 'content-type: application/json', '-d', JSON.stringify({ ...ask(), stream: true })],
  ]);
  const times: number[] = [];
  let output = '';
  curl.stdout.on('data', (data) => {
    times.push(performance.now());
    output += data;
  });
  await new Promise((resolve) => curl.once('close', resolve));
  expect(output.trimEnd().endsWith('data: [DONE]')).toBe(true);
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(300);
});
