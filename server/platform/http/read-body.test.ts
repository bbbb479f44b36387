import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createLog } from '../log.ts';
import { type HttpServer, listenHttp } from './http-server.ts';
import { drainBody, readBody } from './read-body.ts';
import { readPiece } from './read-piece.ts';

const BOUND = { bytes: 100_000, ms: 200 };

let http: HttpServer;
const results: unknown[] = [];
const sockets: Socket[] = [];
beforeAll(async () => {
  const app = new Hono<{ Bindings: HttpBindings }>()
    .post('/', async (c) => {
      const isRead = await drainBody(c, BOUND);
      results.push(isRead);
      return c.text(`read: ${isRead}`);
    })
    .post('/late/:what', async (c) => {
      await new Promise((resolve) => c.env.incoming.once('close', resolve));
      const read = c.req.param('what') === 'piece' ? readPiece(c, 1_000) : readBody(c, 1_000);
      results.push(await read.then(String, ({ code }) => code));
      return c.body(null, 204);
    });
  http = await listenHttp('127.0.0.1', 0, createLog('silent'));
  http.serve((request, env) => app.fetch(request, env));
});
afterEach(() => {
  results.length = 0;
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => http.close(0));

function open(head: string, body = '', path = '/') {
  const socket = connect({ port: http.port, host: '127.0.0.1' }).on('error', () => {});
  sockets.push(socket);
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.write(`POST ${path} HTTP/1.1\r\nHost: here\r\n${head}\r\n\r\n${body}`);
  return { socket, received: () => received };
}

const announce = (bytes: number, sent: number) => open(`Content-Length: ${bytes}`, 'x'.repeat(sent));

it('a refused body is read to its end, and the next request of its connection is answered', async () => {
  const { socket, received } = announce(100_000, 60_000);
  socket.write('x'.repeat(40_000));
  await expect.poll(received).toContain('read: true');
  socket.write('POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 2\r\n\r\nab');
  await expect.poll(() => results).toEqual([true, true]);
  await expect.poll(() => received().match(/HTTP\/1\.1 200/g)?.length).toBe(2);
});

it('a refused body that is larger, or has no length, is not read', async () => {
  const large = announce(100_001, 10);
  await expect.poll(large.received).toContain('read: false');
  const chunked = open('Transfer-Encoding: chunked', '5\r\nabcde\r\n');
  await expect.poll(chunked.received).toContain('read: false');
});

it('a refused body that drips is waited for no longer than its time', async () => {
  const { socket, received } = announce(100_000, 10);
  const drip = setInterval(() => socket.write('x'), 20);
  await expect.poll(received).toContain('read: false');
  clearInterval(drip);
});

it('a refused body whose sender goes is not waited for', async () => {
  const { socket } = announce(100_000, 10);
  await once(socket, 'connect');
  socket.destroy();
  await expect.poll(() => results).toEqual([false]);
});

it.each([
  ['body', 5, 'invalid_json'],
  ['body', 10, 'invalid_json'],
  ['piece', 5, ''],
  ['piece', 10, ''],
])(
  'a %s whose connection closed before it was read, with %i of 10 bytes, is over at once',
  async (what, sent, read) => {
    const { socket } = open('Content-Length: 10', 'x'.repeat(sent), `/late/${what}`);
    await once(socket, 'connect');
    setTimeout(() => socket.resetAndDestroy(), 50);
    await expect.poll(() => results).toEqual([read]);
  },
);
