import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createLog } from '../log.ts';
import { CONNECTION_TIMES, type ConnectionTimes } from './bound-connections.ts';
import { type HttpServer, listenHttp } from './http-server.ts';

const SHORT: ConnectionTimes = { headersMs: 320, requestMs: 640, idleMs: 480, stalledMs: 800, checkMs: 10 };
const HEAD = 'POST / HTTP/1.1\r\nHost: here\r\n';

const sockets: Socket[] = [];
let http: HttpServer | undefined;
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await http?.close(0);
  http = undefined;
});

async function serve(fetch: Parameters<HttpServer['serve']>[0], times: Partial<ConnectionTimes> = {}) {
  http = await listenHttp('127.0.0.1', 0, createLog('silent'), { ...SHORT, ...times });
  http.serve(fetch);
  return http.port;
}

/** A peer that never closes its own side, what it receives, and when the other side has ended, or reset what still came. */
function open(port: number, bytes = '') {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {});
  sockets.push(socket);
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  if (bytes !== '') socket.write(bytes);
  const ended = new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
  return { socket, received: () => received, ended };
}

/** The other side is closed for good: it answers a byte with a reset, where one that only stopped sending takes it. */
async function expectDestroyed(socket: Socket) {
  const poke = setInterval(() => socket.write('x'), 5);
  await expect.poll(() => socket.closed).toBe(true);
  clearInterval(poke);
  expect(socket.errored).not.toBeNull();
}

const readAll = async (request: Request) => new Response(`${(await request.text()).length}`);

describe('a connection', () => {
  it('that never sends a byte is closed without an answer', async () => {
    const { socket, received, ended } = open(await serve(readAll));
    await ended;
    expect(received()).toBe('');
    await expectDestroyed(socket);
  });

  it.each([
    ['half a head', HEAD, '408 Request Timeout'],
    ['a head line by line', `${HEAD}X-One: 1\r\n`, '408 Request Timeout'],
    ['half a body', `${HEAD}Content-Length: 10\r\n\r\nabc`, '408 Request Timeout'],
    ['half a chunk', `${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\nab`, '408 Request Timeout'],
    ['what is no HTTP', 'nonsense\r\n\r\n', '400 Bad Request'],
    ['a head of 20 kB', `${HEAD}X: ${'x'.repeat(20_000)}\r\n\r\n`, '431 Request Header Fields Too Large'],
  ])('that sends %s is told so and destroyed', async (_, bytes, status) => {
    const { socket, received, ended } = open(await serve(readAll), bytes);
    await ended;
    expect(received()).toMatch(new RegExp(`^HTTP/1\\.1 ${status}\r\n`));
    await expectDestroyed(socket);
  });

  it('that drips is not given more time by each byte', async () => {
    const { socket, received, ended } = open(await serve(readAll), `${HEAD}X: `);
    const drip = setInterval(() => socket.write('x'), 10);
    await ended;
    clearInterval(drip);
    expect(received()).toMatch(/^HTTP\/1\.1 408/);
  });

  it('on which an answer has begun is destroyed without another one in its midst', async () => {
    const body = () =>
      new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(Buffer.from('first')) });
    const { socket, received } = open(
      await serve(() => new Response(body())),
      'GET / HTTP/1.1\r\nHost: here\r\n\r\n',
    );
    await expect.poll(received).toContain('first');
    const closed = once(socket, 'close');
    socket.end('nonsense\r\n\r\n');
    await closed;
    expect(received().match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('is kept between requests, then closed without an answer', async () => {
    const { socket, received, ended } = open(await serve(readAll), `${HEAD}Content-Length: 0\r\n\r\n`);
    await expect.poll(received).toMatch(/\r\n\r\n0$/);
    socket.write(`${HEAD}Content-Length: 0\r\n\r\n`);
    await ended;
    expect(received().match(/HTTP\/1\.1 200/g)).toHaveLength(2);
    expect(received()).toMatch(/\r\n\r\n0$/);
    await expectDestroyed(socket);
  });

  it('that takes nothing of its answer is destroyed', async () => {
    let isCut = false;
    const answer = () =>
      new Response(
        new ReadableStream<Uint8Array>({
          pull: (controller) => controller.enqueue(Buffer.alloc(65_536)),
          cancel: () => {
            isCut = true;
          },
        }),
      );
    const { socket } = open(await serve(answer), 'GET / HTTP/1.1\r\nHost: here\r\n\r\n');
    socket.pause();
    await expect.poll(() => isCut).toBe(true);
  });

  it('may wait for its answer for longer than all of these times', async () => {
    const answer = async () => {
      await sleep(SHORT.requestMs + SHORT.stalledMs + 100);
      return new Response('late');
    };
    const { received } = open(await serve(answer), 'GET / HTTP/1.1\r\nHost: here\r\n\r\n');
    await expect.poll(received).toContain('late');
  });
});

it('400 heads that are never finished leave nothing behind', async () => {
  const port = await serve(readAll, { headersMs: 300, requestMs: 400 });
  const halves = Array.from({ length: 400 }, () => open(port, HEAD));
  await Promise.all(halves.map(({ ended }) => ended));
  await Promise.all(halves.map(({ socket }) => expectDestroyed(socket)));
  expect((await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'four' })).status).toBe(200);
});

it('what the product allows lets no connection without a whole request live for 30 seconds', () => {
  const { headersMs, requestMs, checkMs } = CONNECTION_TIMES;
  expect(Math.max(headersMs, requestMs) + checkMs).toBeLessThan(30_000);
});
