import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSelfSigned } from '#test/self-signed.ts';
import { Guard } from './guard.ts';
import { createHttpPool, type HttpPool } from './http-pool.ts';
import { CROWD, createPacer } from './pacer.ts';

const LIMITS = { connectMs: 60_000, firstTokenMs: 60_000, idleMs: 60_000, totalMs: 60_000 };
const HEAD = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
const closers: (() => unknown)[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
  for (const close of closers.splice(0)) close();
});

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** Writes, and leaves the other ends real time to read it. */
async function write(sockets: Socket[], text: string) {
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.write(text, resolve))));
  await sleep(30);
}

/** `vi.waitFor` would move the time. */
async function until(isTrue: () => boolean) {
  while (!isTrue()) await new Promise(setImmediate);
}

/** Both ends of one connection. */
async function openPair(isSecure: boolean): Promise<{ far: Socket; near: Socket }> {
  const pair = createSelfSigned();
  const server = isSecure ? tls.createServer(pair) : createServer();
  const port = await listen(server);
  const arrived = once(server, isSecure ? 'secureConnection' : 'connection') as Promise<[Socket]>;
  const near = isSecure
    ? tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
    : connect(port, '127.0.0.1');
  await once(near, isSecure ? 'secureConnect' : 'connect');
  const [far] = await arrived;
  closers.push(
    () => near.destroy(),
    () => far.destroy(),
  );
  return { far, near };
}

/** A connection that may rest after whatever it brings, and what was read of it. */
async function openHeard({ isSecure = false, isCrowded = true }) {
  const { far, near } = await openPair(isSecure);
  const pacer = createPacer(() => isCrowded);
  closers.push(() => pacer.close());
  const heard = { text: '' };
  near.on('data', (chunk) => {
    heard.text += chunk;
    pacer.rest(near);
  });
  await write([far], 'a');
  await until(() => heard.text === 'a');
  return { far, near, heard };
}

test.each([
  ['plain', false],
  ['TLS', true],
])('a %s connection that rests is not read until its time is over', async (_, isSecure) => {
  const { far, heard } = await openHeard({ isSecure });
  await write([far], 'b');
  await write([far], 'c');
  expect(heard.text).toBe('a');
  vi.advanceTimersByTime(25);
  await write([far], 'd');
  expect(heard.text).toBe('a');
  vi.advanceTimersByTime(25);
  await until(() => heard.text === 'abcd');
});

test('without a crowd no connection rests', async () => {
  const { far, heard } = await openHeard({ isCrowded: false });
  for (const piece of 'bc') await write([far], piece);
  await until(() => heard.text === 'abc');
});

test('a connection that is closed while it rests is left alone', async () => {
  const { near } = await openHeard({});
  near.destroy();
  expect(() => vi.advanceTimersByTime(100)).not.toThrow();
});

/** A provider that begins each answer so, and the sockets of those who asked, in order. */
async function openProvider(beginning = '1\r\na\r\n') {
  const asked: Socket[] = [];
  const server = createServer((socket) => {
    closers.push(() => socket.destroy());
    socket.on('error', () => {});
    socket.on('data', () => {
      asked.push(socket);
      socket.write(`${HEAD}${beginning}`);
    });
  });
  return { url: new URL(`http://127.0.0.1:${await listen(server)}/`), asked };
}

function ask(pool: HttpPool, url: URL) {
  const stop = new AbortController();
  const answer = { text: '', stop, done: Promise.resolve() as Promise<unknown> };
  const guard = new Guard(LIMITS, stop.signal);
  answer.done = pool.post({ url, headers: {}, body: '{}' }, guard, (chunk) => {
    answer.text += chunk;
    return 'later';
  });
  answer.done.catch(() => {}).finally(() => guard.release());
  return answer;
}

test('in a crowd of answers pieces wait, none is lost, and one that is stopped ends at once', async () => {
  const { url, asked } = await openProvider();
  const pool = createHttpPool();
  closers.push(() => pool.close());
  const answers = Array.from({ length: CROWD }, () => ask(pool, url));
  await until(() => answers.every(({ text }) => text === 'a'));
  await write(asked, '1\r\nb\r\n');
  expect(answers.map(({ text }) => text)).toEqual(Array(CROWD).fill('a'));
  answers[0]?.stop.abort();
  await expect(answers[0]?.done).rejects.toMatchObject({ kind: 'aborted' });
  vi.advanceTimersByTime(50);
  await write(asked, '0\r\n\r\n');
  vi.advanceTimersByTime(50);
  await expect(Promise.all(answers.slice(1).map(({ done }) => done))).resolves.toEqual(
    Array(CROWD - 1).fill(null),
  );
  expect(answers.slice(1).map(({ text }) => text)).toEqual(Array(CROWD - 1).fill('ab'));
});

test('with one answer less every piece is taken as it comes', async () => {
  const { url, asked } = await openProvider();
  const pool = createHttpPool();
  closers.push(() => pool.close());
  const answers = Array.from({ length: CROWD - 1 }, () => ask(pool, url));
  await until(() => asked.length === CROWD - 1);
  await write(asked, '1\r\nb\r\n0\r\n\r\n');
  await Promise.all(answers.map(({ done }) => done));
  expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['ab']));
});

test('a connection whose answer is over is read at once for the next', async () => {
  const { url, asked } = await openProvider('1\r\na\r\n0\r\n\r\n');
  const pool = createHttpPool();
  closers.push(() => pool.close());
  for (let round = 0; round < 3; round += 1) {
    await Promise.all(Array.from({ length: CROWD }, () => ask(pool, url).done));
  }
  expect(asked).toHaveLength(3 * CROWD);
  expect(new Set(asked).size).toBe(CROWD);
});
