import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Message } from '#contract/chat.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask, creditsOf, draft, endOf, refusal, send, textOf, waitForEnd } from '#test/chat/chat.ts';
import type { TestClient } from '#test/client.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { openEvents, type ReceivedEvent, readEvents } from '#test/events.ts';
import { IS_POOLED } from '#test/runs.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
beforeEach(() => app.gemini.pace({ ttftMs: 2, gapMs: 1.5, jitter: 0.5 }));
afterAll(async () => {
  await expectNoDrift(app.database.database.sql);
  await app.close();
});

const LONG = '/emulate long-answer characters=4000';

async function stored(user: TestClient, { id, conversationId }: Message): Promise<Message> {
  const page = await user.get(`/api/messages?conversationId=${conversationId}`);
  const { messages } = (await page.json()) as { messages: Message[] };
  return messages.find((one) => one.id === id) as Message;
}

function idsOf(events: ReceivedEvent[]): (number | null)[] {
  return events.map(({ id }) => id);
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

test('events are numbered from 1 and end with the message', async () => {
  const user = await app.signedIn();
  const sent = await send(user, { content: '/emulate reasoning' });
  const events = await openEvents(user, `/api/messages/${sent.id}/events`);
  await events.ended;
  const { headers } = events.response;
  expect(headers.get('content-type')).toBe('text/event-stream');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-accel-buffering')).toBe('no');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(idsOf(events.received)).toEqual(upTo(events.received.length));
  expect(events.received[0]?.event).toBe('reasoning');
  expect(endOf(events.received)).toEqual(await stored(user, sent));
});

test('20 random disconnects lose and repeat nothing: the text is the stored one byte for byte', async () => {
  const user = await app.signedIn();
  const sent = await send(user, { content: LONG });
  const path = `/api/messages/${sent.id}/events`;
  const all: ReceivedEvent[] = [];
  for (let disconnects = 0; all.at(-1)?.event !== 'end'; disconnects += 1) {
    const after = all.at(-1)?.id ?? undefined;
    const events = await openEvents(user, path, after === undefined ? {} : { after });
    if (disconnects < 20) {
      const wanted = Math.floor(Math.random() * 3);
      await events.next(() => events.received.length >= wanted || events.received.at(-1)?.event === 'end');
      events.close();
    }
    await events.ended;
    all.push(...events.received);
  }
  expect(idsOf(all)).toEqual(upTo(all.length));
  const message = await stored(user, sent);
  expect(message.status).toBe('completed');
  expect(message.response.length).toBeGreaterThan(3_500);
  expect(Buffer.from(textOf(all)).equals(Buffer.from(message.response))).toBe(true);
});

test('many followers who come at any moment see the same events', async () => {
  const user = await app.signedIn();
  const { id } = await send(user, { content: LONG });
  const path = `/api/messages/${id}/events`;
  const first = readEvents(user, path);
  const others: Promise<ReceivedEvent[]>[] = [];
  for (let seen = 1; seen <= 6; seen += 1) {
    const events = await openEvents(user, path);
    await events.next((event) => event.id === seen * 2);
    events.close();
    others.push(readEvents(user, path));
  }
  const whole = await first;
  for (const other of others) expect(await other).toEqual(whole);
});

test('an ended message is replayed with the numbers it had, and from the middle too', async () => {
  const user = await app.signedIn();
  const { id } = await send(user);
  const path = `/api/messages/${id}/events`;
  const whole = await readEvents(user, path);
  expect(whole.length).toBeGreaterThan(4);
  expect(await readEvents(user, path)).toEqual(whole);
  expect(await readEvents(user, path, { after: 2 })).toEqual(whole.slice(2));
  expect(await readEvents(user, path, { after: 0 })).toEqual(whole);
  const byQuery = await readEvents(user, `${path}?lastEventId=3`);
  expect(byQuery).toEqual(whole.slice(3));
});

test('whoever has seen more than there is gets the end, which is the truth', async () => {
  const user = await app.signedIn();
  const { id } = await ask(user);
  const path = `/api/messages/${id}/events`;
  const whole = await readEvents(user, path);
  const beyond = await readEvents(user, path, { after: whole.length + 30 });
  expect(beyond).toEqual([{ ...whole.at(-1), id: whole.length + 31 }]);
});

test('once the log is gone the whole text is one event, and a reader who was there before gets only the end', async () => {
  const user = await app.signedIn();
  const { id, response } = await ask(user);
  const path = `/api/messages/${id}/events`;
  const end = (await readEvents(user, path)).at(-1);
  const { sql } = app.database.database;
  await sql`delete from message_events where message_id = ${id}`;
  expect(await readEvents(user, path)).toEqual([
    { id: 1, event: 'text', data: { text: response } },
    { ...end, id: 2 },
  ]);
  expect(await readEvents(user, path, { after: 1 })).toEqual([{ ...end, id: 2 }]);
  expect(await readEvents(user, path, { after: 40 })).toEqual([{ ...end, id: 41 }]);
});

test('a log that has lost its beginning is a log that is gone', async () => {
  const user = await app.signedIn();
  const { id, response } = await ask(user, { content: LONG });
  const { sql } = app.database.database;
  await sql`delete from message_events where message_id = ${id} and first_seq = 1`;
  const events = await readEvents(user, `/api/messages/${id}/events`);
  expect(events.map(({ event }) => event)).toEqual(['text', 'end']);
  expect(textOf(events)).toBe(response);
});

test.each(['x', '-1', '1.5', '1e3', '9999999999', '1; drop'])(
  'the Last-Event-ID %j is refused by its name',
  async (given) => {
    const user = await app.signedIn();
    const { id } = await ask(user);
    const response = await user.request(`/api/messages/${id}/events`, {
      headers: { 'last-event-id': given },
    });
    expect(await refusal(response)).toEqual({
      status: 422,
      code: 'invalid_request',
      params: { field: 'Last-Event-ID' },
    });
  },
);

test('a message that does not exist has no events', async () => {
  const user = await app.signedIn();
  for (const id of [randomUUID(), 'x']) {
    expect((await user.get(`/api/messages/${id}/events`)).status).toBe(404);
  }
});

test('HEAD answers without a stream', async () => {
  const user = await app.signedIn();
  const { id } = await send(user, { content: '/emulate slow-first-token ms=60000' });
  const response = await user.request(`/api/messages/${id}/events`, { method: 'HEAD' });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  await user.post(`/api/messages/${id}/stop`);
});

test('a follower holds no connection to the database', async () => {
  const user = await app.signedIn();
  const { id } = await send(user, { content: '/emulate slow-first-token ms=60000' });
  const many = await Promise.all(
    Array.from({ length: 40 }, () => openEvents(user, `/api/messages/${id}/events`)),
  );
  expect(await ask(await app.signedIn())).toMatchObject({ status: 'completed' });
  for (const events of many) events.close();
  await user.post(`/api/messages/${id}/stop`);
});

// Through a PgBouncer no connection is kept apart, so a message waits too (decision 94).
test.skipIf(IS_POOLED)(
  'while every connection of the pool is taken readers go on, messages are taken, and who waits is served when one is free',
  async () => {
    const [user, other] = [await app.signedIn(), await app.signedIn()];
    await app.gemini.pace({ ttftMs: 2, gapMs: 5, jitter: 0 });
    const { id } = await send(user, { content: '/emulate never-ends' });
    const events = await openEvents(user, `/api/messages/${id}/events`);
    await events.next(({ event }) => event === 'text');
    const locked = Promise.withResolvers<void>();
    const freed = Promise.withResolvers<void>();
    const holding = app.database.database.sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(46)`;
      locked.resolve();
      await freed.promise;
    });
    await locked.promise;
    const taken = Array.from(
      { length: app.config.databasePoolSize },
      async () => app.deps.database.sql`select pg_advisory_xact_lock_shared(46)`,
    );
    const waiting = user.get('/api/me');
    const seen = events.received.length;
    await events.next((event) => (event.id ?? 0) > seen + 5);
    const sent = await send(other);
    expect(await Promise.race([waiting, 'still waiting'])).toBe('still waiting');
    freed.resolve();
    await Promise.all([holding, ...taken]);
    expect((await waiting).status).toBe(200);
    expect(await waitForEnd(other, sent.id)).toMatchObject({ status: 'completed', creditsUsed: 8 });
    expect(await (await user.post(`/api/messages/${id}/stop`)).json()).toMatchObject({ creditsUsed: 8 });
    await events.ended;
    expect(await creditsOf(user)).toBe(32);
  },
);

test('readers that never read hold up nobody', async () => {
  const user = await app.signedIn();
  await app.gemini.work({ ttftMs: 200, tokens: 60, gapMs: 2, text: 'x'.repeat(20_000) });
  const { id } = await send(user);
  const { hostname, port } = new URL(app.url);
  const sockets = Array.from({ length: 50 }, () => {
    const socket = connect(Number(port), hostname);
    socket
      .pause()
      .write(
        `GET /api/messages/${id}/events HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncookie: ${user.cookie}\r\n\r\n`,
      );
    return socket;
  });
  const ended = await waitForEnd(user, id);
  expect([ended.status, ended.response.length]).toEqual(['completed', 1_200_000]);
  await app.gemini.reset();
  for (const socket of sockets) socket.destroy();
});

test('a send that asks for events gets the message, then the events that every follower gets', async () => {
  const user = await app.signedIn();
  const body = draft();
  const events = await openEvents(user, '/api/messages', { body });
  await events.ended;
  const [first, ...answer] = events.received;
  expect(events.response.status).toBe(201);
  expect(events.response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(first).toMatchObject({ id: null, event: 'message' });
  expect(first?.data.message).toMatchObject({ id: body.id, status: 'running', creditsUsed: 0 });
  expect(answer).toEqual(await readEvents(user, `/api/messages/${body.id}/events`));
  expect(endOf(answer)).toMatchObject({ status: 'completed', response: textOf(answer), creditsUsed: 8 });
});

test('a send that asks for events is charged once however often it comes, and is answered anew each time', async () => {
  const user = await app.signedIn();
  const body = draft();
  const all = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const events = await openEvents(user, '/api/messages', { body });
      await events.ended;
      return { status: events.response.status, answer: events.received.slice(1) };
    }),
  );
  const late = await openEvents(user, '/api/messages', { body });
  await late.ended;
  expect(all.map(({ status }) => status).sort()).toEqual([...Array(7).fill(200), 201]);
  expect(late.received[0]?.data.message).toMatchObject({ id: body.id, status: 'completed' });
  for (const { answer } of all) expect(answer).toEqual(late.received.slice(1));
  expect(await creditsOf(user)).toBe(32);
});

test('a sender whose connection breaks resumes without a gap or a repeat', async () => {
  const user = await app.signedIn();
  const body = draft({ content: LONG });
  const events = await openEvents(user, '/api/messages', { body });
  await events.next(({ id }) => id === 5);
  events.close();
  await events.ended;
  const seen = events.received.slice(1);
  const rest = await readEvents(user, `/api/messages/${body.id}/events`, { after: seen.at(-1)?.id ?? 0 });
  const all = [...seen, ...rest];
  expect(idsOf(all)).toEqual(upTo(all.length));
  expect(textOf(all)).toBe(endOf(all).response);
});

test('a refusal is an ordinary answer, whatever the sender asked for', async () => {
  const user = await app.signedIn();
  const asked = async (over: Parameters<typeof draft>[0]) =>
    refusal(
      await user.request('/api/messages', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify(draft(over)),
      }),
    );
  expect(await asked({ content: ' ' })).toMatchObject({ code: 'prompt_empty' });
  expect(await asked({ model: 'gemini-3.0-ultra' })).toMatchObject({ status: 404, code: 'not_found' });
  expect(await creditsOf(user)).toBe(40);
});

test.each([
  'application/json',
  '*/*',
  'text/html, application/xhtml+xml, */*;q=0.8',
  'application/json, text/event-stream;q=0.5',
])('a sender that takes %s gets the message alone', async (accept) => {
  const user = await app.signedIn();
  const response = await user.request('/api/messages', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify(draft()),
  });
  expect(response.status).toBe(201);
  const message = (await response.json()) as Message;
  expect(message.status).toBe('running');
  await waitForEnd(user, message.id);
});
