import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { openEventStream, type ServerEvent } from './event-stream.ts';
import type { Wake, WakeChange } from './follow-events.ts';
import { followEvents } from './follow-events.ts';

let server: Server | undefined;

async function serve(
  listener: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const started = createServer(listener);
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
}

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

function fakeWake() {
  const listeners = new Set<(change: WakeChange) => void>();
  const wake = {
    awake: true,
    subscribe(listener: (change: WakeChange) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    report(change: WakeChange) {
      if (change !== 'online') wake.awake = change === 'awake';
      for (const listener of [...listeners]) listener(change);
    },
  };
  return wake satisfies Wake;
}

/** Serves events 1…count one by one and cuts the connection after each `cutEvery` of them. */
function numberedEvents(count: number, cutEvery: number) {
  const resumedAfter: string[] = [];
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const after = request.headers['last-event-id'];
    if (after !== undefined) resumedAfter.push(String(after));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    let next = Number(after ?? 0) + 1;
    for (let sent = 0; sent < cutEvery && next <= count; sent++, next++) {
      response.write(`id: ${next}\nevent: ${next === count ? 'end' : 'text'}\ndata: ${next}号\n\n`);
    }
    response.end();
  };
  return { listener, resumedAfter };
}

test('resumes after every cut without a gap or a repeat', async () => {
  const { listener, resumedAfter } = numberedEvents(7, 3);
  const received: ServerEvent[] = [];
  await followEvents(await serve(listener), {
    signal: new AbortController().signal,
    wake: fakeWake(),
    onEvent(event) {
      received.push(event);
      return event.event === 'end' ? 'done' : undefined;
    },
  });
  expect(received.map(({ id }) => id)).toEqual(['1', '2', '3', '4', '5', '6', '7']);
  expect(received.at(-1)).toEqual({ id: '7', event: 'end', data: '7号' });
  expect(resumedAfter).toEqual(['3', '6']);
});

test('tries again while the server is in trouble', async () => {
  let requests = 0;
  const url = await serve((_, response) => {
    requests += 1;
    if (requests < 3) response.writeHead(503).end();
    else response.writeHead(200).end('data: at last\n\n');
  });
  const lost: number[] = [];
  await followEvents(url, {
    signal: new AbortController().signal,
    wake: fakeWake(),
    onLost: () => lost.push(requests),
    onEvent: () => 'done',
  });
  expect(lost).toEqual([1, 2]);
});

test('a refusal is final and carries its code', async () => {
  const url = await serve((_, response) => {
    response.writeHead(404).end(JSON.stringify({ error: { code: 'not_found', message: '', params: {} } }));
  });
  const following = followEvents(url, {
    signal: new AbortController().signal,
    wake: fakeWake(),
    onEvent: () => undefined,
  });
  await expect(following).rejects.toMatchObject({ code: 'not_found', status: 404 });
});

test.each([401, 403, 404])('a page of a proxy that says %i is no refusal', async (status) => {
  const wake = fakeWake();
  let requests = 0;
  const url = await serve((_, response) => {
    requests += 1;
    if (requests === 1) response.writeHead(status, { 'content-type': 'text/html' }).end('<p>proxy</p>');
    else response.writeHead(200).end('data: at last\n\n');
  });
  const data: string[] = [];
  await followEvents(url, {
    signal: new AbortController().signal,
    wake,
    onLost: () => setImmediate(() => wake.report('online')),
    onEvent(event) {
      data.push(event.data);
      return 'done';
    },
  });
  expect(data).toEqual(['at last']);
});

test('holds no connection while the page is hidden and resumes when it is back', async () => {
  const wake = fakeWake();
  let closed: () => void = () => {};
  const closedOnce = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const resumed: (string | undefined)[] = [];
  const url = await serve((request, response) => {
    resumed.push(request.headers['last-event-id'] as string | undefined);
    response.on('close', closed);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`id: ${resumed.length}\ndata: x\n\n`);
  });
  const ids: string[] = [];
  const following = followEvents(url, {
    signal: new AbortController().signal,
    wake,
    onEvent(event) {
      ids.push(event.id);
      if (ids.length === 1) wake.report('asleep');
      return ids.length === 2 ? 'done' : undefined;
    },
  });
  await closedOnce;
  wake.report('awake');
  await following;
  expect(ids).toEqual(['1', '2']);
  expect(resumed).toEqual([undefined, '1']);
});

test('a network that comes back replaces the old connection at once', async () => {
  const wake = fakeWake();
  let requests = 0;
  const url = await serve((_, response) => {
    requests += 1;
    response.writeHead(200);
    response.write(`data: ${requests}\n\n`);
  });
  const data: string[] = [];
  await followEvents(url, {
    signal: new AbortController().signal,
    wake,
    onEvent(event) {
      data.push(event.data);
      if (data.length === 1) setImmediate(() => wake.report('online'));
      return data.length === 2 ? 'done' : undefined;
    },
  });
  expect(data).toEqual(['1', '2']);
});

test('ends when its signal aborts', async () => {
  const controller = new AbortController();
  const url = await serve((_, response) => response.writeHead(200).write('data: x\n\n'));
  await followEvents(url, {
    signal: controller.signal,
    wake: fakeWake(),
    onEvent() {
      controller.abort();
      return undefined;
    },
  });
  expect(controller.signal.aborted).toBe(true);
});

test('a reconnection asked for by the reader resumes where the reader says', async () => {
  const asked: (string | undefined)[] = [];
  const url = await serve((request, response) => {
    asked.push(request.headers['last-event-id'] as string | undefined);
    response.writeHead(200).write(`id: ${asked.length === 1 ? 9 : 5}\ndata: x\n\n`);
  });
  await followEvents(url, {
    signal: new AbortController().signal,
    wake: fakeWake(),
    resumeAfter: () => '4',
    onEvent: ({ id }) => (id === '5' ? 'done' : 'reconnect'),
  });
  expect(asked).toEqual(['4', '4']);
});

test('a stream that is open already is read first, and resumed where it broke', async () => {
  const { listener, resumedAfter } = numberedEvents(5, 3);
  const url = await serve(listener);
  const stream = await openEventStream(url, { body: { to: 'send' } });
  const taken = await stream?.next();
  const received: string[] = [];
  await followEvents(url, {
    signal: new AbortController().signal,
    wake: fakeWake(),
    first: stream ?? undefined,
    onEvent({ id, event }) {
      received.push(id);
      return event === 'end' ? 'done' : undefined;
    },
  });
  expect([taken?.id, ...received]).toEqual(['1', '2', '3', '4', '5']);
  expect(resumedAfter).toEqual(['3']);
});

test('a stream that is open already is closed where the page is hidden', async () => {
  const wake = fakeWake();
  wake.report('asleep');
  const asked: (string | undefined)[] = [];
  const closed = Promise.withResolvers<void>();
  const url = await serve((request, response) => {
    asked.push(request.method);
    response.on('close', closed.resolve);
    response.writeHead(200).write('id: 1\ndata: x\n\n');
  });
  const first = (await openEventStream(url, { body: {} })) ?? undefined;
  const following = followEvents(url, {
    signal: new AbortController().signal,
    wake,
    first,
    onEvent: () => 'done',
  });
  await closed.promise;
  wake.report('awake');
  await following;
  expect(asked).toEqual(['POST', 'GET']);
});

test('a stream that is refused while the session gets another cookie is asked for once more', async () => {
  vi.stubGlobal('localStorage', { getItem: () => String(Date.now()) });
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  let asked = 0;
  const url = await serve((_, response) => {
    asked += 1;
    if (asked > 1) return response.end('event: end\ndata: 1\n\n');
    const error = { code: 'unauthenticated', message: '', params: {} };
    return response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
  });
  const stream = await openEventStream(url, {});
  expect(await stream?.next()).toMatchObject({ event: 'end' });
  expect(asked).toBe(2);
});
