import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { expect, it } from 'vitest';
import { findFreePort } from './free-port.ts';

async function listen(host: string): Promise<[Server, number]> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  return [server, typeof address === 'object' && address ? address.port : 0];
}

it('a free port is answered as it is', async () => {
  const [server, port] = await listen('127.0.0.1');
  server.close();
  await once(server, 'close');
  expect(await findFreePort('127.0.0.1', port)).toBe(port);
});

it('a taken port is passed over for a later one', async () => {
  const [server, port] = await listen('127.0.0.1');
  const free = await findFreePort('127.0.0.1', port, 20);
  expect(free).toBeGreaterThan(port);
  expect(await findFreePort('127.0.0.1', port)).toBe(null);
  server.close();
});

it('a port taken on every address is taken on the loopback address too', async () => {
  const [server, port] = await listen('0.0.0.0');
  expect(await findFreePort('127.0.0.1', port)).toBe(null);
  server.close();
});

it('port 0 means any', async () => {
  expect(await findFreePort('127.0.0.1', 0)).toBeGreaterThan(1023);
});
