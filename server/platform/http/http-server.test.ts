import { createServer } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createLog } from '../log.ts';
import { type HttpServer, listenHttp } from './http-server.ts';

const log = createLog('silent');
let http: HttpServer | undefined;
afterEach(async () => {
  await http?.close(0);
  http = undefined;
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
