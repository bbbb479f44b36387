import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#server/platform/ids.ts';
import { makeKey } from '#test/api.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { draft, waitForEnd } from '#test/chat/chat.ts';
import { geminiBytes } from '#test/chat/gemini-bytes.ts';
import type { TestClient } from '#test/client.ts';
import { type Collector, startCollector } from '#test/collector.ts';
import { readInfo, readPlainText, upload } from '#test/files/files.ts';
import { startMailbox } from '#test/mailbox.ts';
import { createLog } from './platform/log.ts';

/** Whatever a user wrote, uploaded or was given, and what a model wrote, has it in it. */
const CANARY = 'canary-';
const MODEL = 'gemini-2.5-flash-lite';

type Line = Record<string, unknown> & { msg: string };

/** A model provider that quotes what it was asked in all that it answers. */
async function startQuotingProvider() {
  let answer = (_asked: string, response: ServerResponse): void => {
    response.end();
  };
  const server = createServer((request, response) => {
    let asked = '';
    request.setEncoding('utf8').on('data', (piece: string) => {
      asked += piece;
    });
    request.on('end', () => answer(asked, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer(next: typeof answer) {
      answer = next;
    },
    refuse(status: number) {
      answer = (asked, response) => {
        const message = `cannot answer ${asked} by ${CANARY}provider`;
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { code: status, message, status: message } }));
      };
    },
    stream(bytes: (asked: string) => string) {
      answer = (asked, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(bytes(asked));
      };
    },
    close: () => server.close(),
  };
}

let app: TestApp;
let provider: Awaited<ReturnType<typeof startQuotingProvider>>;
let mailbox: Awaited<ReturnType<typeof startMailbox>>;
let collector: Collector;
const written: string[] = [];
const lines = () => written.map((line) => JSON.parse(line) as Line);
const said = (msg: string) => lines().filter((line) => line.msg === msg);
beforeAll(async () => {
  [provider, mailbox, collector] = await Promise.all([
    startQuotingProvider(),
    startMailbox(),
    startCollector(),
  ]);
  app = await createTestApp({
    log: createLog('trace', { write: (line) => written.push(line) }),
    env: { ...mailbox.settings, ...collector.settings, GEMINI_BASE_URL: provider.url, TITLE_MODEL: MODEL },
    fileJobs: { readFile: readPlainText },
  });
});
beforeEach(() => {
  written.length = 0;
});
afterAll(async () => {
  await app.close();
  provider.close();
  await Promise.all([mailbox.close(), collector.close()]);
});

/** A message whose every word is a canary, with a file. */
async function sendCanary(client: TestClient, files: string[] = []): Promise<string> {
  const content = `${CANARY}prompt read ${CANARY}this`;
  const response = await client.post('/api/messages', { ...draft({ model: MODEL, content }), files });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: string }).id;
}

async function askApi(key: string, isStreamed = false): Promise<Response> {
  const response = await fetch(`${app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: MODEL,
      stream: isStreamed,
      messages: [{ role: 'user', content: `${CANARY}question` }],
    }),
  });
  await response.text();
  return response;
}

async function readyFile(client: TestClient, name: string, text: string): Promise<string> {
  const id = await upload(client, Buffer.from(text), name);
  await expect.poll(async () => (await readInfo(client, id)).state).not.toMatch(/uploading|reading/);
  return id;
}

const answerText = JSON.stringify({ text: `${CANARY}answer of a model` });
/** Ways to fail, each quoting the question or the answer. */
const FAULTS: Record<string, () => void> = {
  'an answer': () => provider.stream(() => geminiBytes([[answerText]])),
  'a refused request': () => provider.refuse(400),
  'a refused key': () => provider.refuse(403),
  'an overload': () => provider.refuse(503),
  'a stream that breaks off': () =>
    provider.stream(() => geminiBytes([[answerText]], { finishReason: 'OTHER' })),
  'a stream that is no JSON': () =>
    provider.stream((asked) => `data: {"candidates": ${CANARY}x ${asked}\r\n\r\n`),
  'an error inside the stream': () =>
    provider.stream(
      (asked) =>
        geminiBytes([[answerText]]).replace('"finishReason":"STOP",', '') +
        `data: {"error":{"code":500,"message":${JSON.stringify(`${CANARY}y ${asked}`)},"status":"${CANARY}z z"}}\r\n\r\n`,
    ),
  'a connection that is cut': () =>
    provider.answer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(geminiBytes([[answerText]]).slice(0, -40), () => response.destroy());
    }),
};

it('the log and the traces hold no password, token, cookie, address or text of a user', async () => {
  const { sql } = app.database.database;
  const client = app.visit();
  const account = { email: `${CANARY}address@example.test`, password: `${CANARY}password` };
  await client.signUp(account);
  const { key } = await makeKey(client, { name: `${CANARY}key` });
  await client.post('/api/auth/sign-up/email', account);
  await client.post('/api/auth/sign-in/email', { ...account, password: `${CANARY}wrong` });
  const file = await readyFile(client, `${CANARY}file.txt`, `${CANARY}text of a file`);
  await readyFile(client, `${CANARY}broken.txt`, `${CANARY}\0`);
  for (const [name, begin] of Object.entries(FAULTS)) {
    begin();
    const id = await sendCanary(client, name === 'an answer' ? [file] : []);
    expect(['failed', 'completed']).toContain((await waitForEnd(client, id)).status);
    await askApi(key, name.length % 2 === 0);
  }
  await client.get(`/api/conversations/search?q=${CANARY}search`);
  await client.post('/api/messages', { id: CANARY, content: `${CANARY}body` });
  await client.get(`/api/messages/${CANARY}id/events`);
  await fetch(`${app.url}/v1/models/${CANARY}model`, { headers: { authorization: `Bearer ${key}` } });

  // PostgreSQL quotes the row that it refuses, and a mail server the address.
  FAULTS['an answer']?.();
  await sql`alter table messages add constraint no_answer check (status <> 'completed') not valid`;
  const id = await sendCanary(client);
  const notStored = () => said('storing the end of an answer failed; trying again');
  await expect.poll(() => notStored().length).toBeGreaterThan(0);
  expect(notStored()[0]).toMatchObject({ err: { constraint_name: 'no_answer' }, messageId: id });
  await expect(sql`update messages set status = 'completed' where id = ${id}`).rejects.toMatchObject({
    detail: expect.stringContaining(`${CANARY}prompt`),
  });
  await sql`alter table messages drop constraint no_answer`;
  await waitForEnd(client, id);
  await mailbox.refuse(550, 100);
  await client.post('/api/auth/request-password-reset', { email: account.email });
  await expect.poll(() => said('a mail was not sent').length).toBeGreaterThan(0);
  await sql`alter table users rename column photo_url to away`;
  await client.get('/api/me');
  await client.post('/api/auth/sign-up/email', { ...account, email: `${CANARY}other@example.test` });
  await sql`alter table users rename column away to photo_url`;
  const traceparent = `00-${CANARY}-${CANARY}-01`;
  const headers = { traceparent, tracestate: `${CANARY}=${CANARY}`, 'user-agent': `${CANARY}agent` };
  const last = await fetch(`${app.url}/${CANARY}path?${CANARY}=${CANARY}`, { headers, redirect: 'manual' });
  const isTraced = (id: string | null) => collector.text().includes(`"${id}"`);
  await expect.poll(() => isTraced(last.headers.get('x-request-id'))).toBe(true);

  const text = written.join('') + collector.text();
  for (const msg of ['a sign-in was refused', 'a request failed', 'model call failed', 'an answer failed'])
    expect([msg, said(msg).length > 0]).toEqual([msg, true]);
  const cookies = client.cookie.split(/[=;.]/).filter((part) => part.length > 20);
  expect(cookies.length).toBeGreaterThan(0);
  for (const secret of [...cookies, key.slice(-20), app.config.authSecret])
    expect(text).not.toContain(secret);
  expect(written.filter((line) => line.includes(CANARY))).toEqual([]);
  const names = collector.spans().map(({ name }) => name);
  const expected = ['POST /api/auth/sign-in/email', 'send transaction', `chat ${MODEL}`, 'job sending mail'];
  expect(names).toEqual(expect.arrayContaining(expected));
  expect(collector.spans().filter((span) => JSON.stringify(span).includes(CANARY))).toEqual([]);
  expect(collector.requests.some(({ body }) => /@example|127\.0\.0\.1/.test(body))).toBe(false);
});

describe('a line of the log names', () => {
  it('its request, its user and its message, from the send to the failure at the provider', async () => {
    const user = await app.signedIn();
    provider.refuse(403);
    const sent = draft({ model: MODEL });
    const response = await user.post('/api/messages', sent);
    await waitForEnd(user, sent.id);
    const about = {
      requestId: response.headers.get('x-request-id'),
      userId: user.userId,
      messageId: sent.id,
    };
    const ofMessage = () => lines().filter(({ messageId }) => messageId === sent.id);
    const all = ['request', 'model call failed', 'an answer failed'];
    await expect.poll(() => ofMessage().filter(({ msg }) => msg === 'request').length).toBe(2);
    for (const msg of all) {
      const [first] = ofMessage().filter((line) => line.msg === msg);
      expect(first).toMatchObject({ msg, ...about });
    }
    const [, reader] = ofMessage().filter(({ msg }) => msg === 'request');
    expect(reader).toMatchObject({ route: '/api/messages/:id/events', userId: user.userId });
    expect(reader?.requestId).not.toBe(about.requestId);
  });

  it('the same for a request by an API key', async () => {
    const user = await app.signedIn();
    const { key } = await makeKey(user);
    provider.refuse(403);
    const response = await askApi(key);
    const [message] = await app.database.database.sql<{ id: string }[]>`
      select id from messages where user_id = ${user.userId}`;
    const about = {
      requestId: response.headers.get('x-request-id'),
      userId: user.userId,
      messageId: message?.id,
    };
    expect(said('request').find(({ route }) => route === '/v1/chat/completions')).toMatchObject(about);
    expect(said('model call failed').filter(({ userId }) => userId === user.userId)).toEqual([
      expect.objectContaining(about),
    ]);
  });

  it('the request that failed, and no user or message where there is none', async () => {
    const user = await app.signedIn();
    const { sql } = app.database.database;
    await sql`alter table users rename column photo_url to away`;
    const response = await user.get('/api/me');
    await sql`alter table users rename column away to photo_url`;
    const [line] = said('a request failed');
    expect(line).toMatchObject({
      requestId: response.headers.get('x-request-id'),
      userId: user.userId,
      path: '/api/me',
    });
    expect(line).not.toHaveProperty('messageId');
    await app.visit().get('/api/catalogue');
    expect(said('request').at(-1)).not.toHaveProperty('userId');
  });

  it('its own user and message where many run at once, and where one begins after another', async () => {
    const users = await Promise.all(Array.from({ length: 8 }, () => app.signedIn()));
    provider.answer((asked, response) => {
      const isTitle = asked.includes('You write titles');
      response.writeHead(isTitle ? 403 : 200, { 'content-type': 'text/event-stream' });
      response.end(isTitle ? '{}' : geminiBytes([['{"text":"Paris."}']]));
    });
    const sent = await Promise.all(
      users.map(async (user) => {
        const one = draft({ model: MODEL });
        await user.post('/api/messages', one);
        await waitForEnd(user, one.id);
        return [one.id, user.userId] as const;
      }),
    );
    const failed = () => said('a title was not written; its first words stay');
    await expect.poll(() => failed().length).toBe(8);
    const ownerOf = new Map(sent);
    const named = lines().filter(({ messageId }) => messageId !== undefined);
    expect(named.length).toBeGreaterThan(8);
    for (const line of named)
      expect([line.msg, line.userId]).toEqual([line.msg, ownerOf.get(String(line.messageId))]);
    expect(new Set(failed().map(({ messageId }) => messageId))).toEqual(new Set(ownerOf.keys()));
  });
});

it('an id in a path that is no id is not logged', async () => {
  const user = await app.signedIn();
  await user.get(`/api/messages/${encodeURIComponent(`${CANARY}words`)}`);
  await user.get(`/api/messages/${newId()}`);
  expect(written.filter((line) => line.includes(CANARY))).toEqual([]);
});
