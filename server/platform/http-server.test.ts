import { connect, createServer, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { type HttpServer, listenHttp } from './http-server.ts';
import { createLog } from './log.ts';

const log = createLog('silent');
const sockets: Socket[] = [];
let http: HttpServer | undefined;
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await http?.close(0);
  http = undefined;
});

/** Asks on so many connections of their own in the same moment. */
function askAtOnce(port: number, count: number) {
  for (let left = count; left > 0; left -= 1) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
    sockets.push(socket);
  }
}

it.runIf(process.platform === 'linux')('callers who come at once are let in many at a time', async () => {
  http = await listenHttp('127.0.0.1', 0, log);
  let asked = 0;
  http.serve(() => {
    asked += 1;
    return new Response('hello');
  });
  askAtOnce(http.port, 128);
  let turns = 0;
  for (; asked < 128; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(turns).toBeLessThan(64);
});

it('a port that somebody else has is refused, also by a second server of ours', async () => {
  http = await listenHttp('127.0.0.1', 0, log);
  await expect(listenHttp('127.0.0.1', http.port, log)).rejects.toThrow(`127.0.0.1:${http.port} is taken`);
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const address = other.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  await expect(listenHttp('127.0.0.1', port, log)).rejects.toThrow(`127.0.0.1:${port} is taken`);
  other.close();
});

it('after its close nobody is let in and the port is free', async () => {
  const first = await listenHttp('127.0.0.1', 0, log);
  await first.close(0);
  await expect(fetch(`http://127.0.0.1:${first.port}/`)).rejects.toThrow();
  http = await listenHttp('127.0.0.1', first.port, log);
  expect((await fetch(`http://127.0.0.1:${first.port}/`)).status).toBe(503);
});
