import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { createLog } from '#server/platform/log.ts';
import { PATIENT } from '#test/patient.ts';
import { BrowserHost } from '../host/host-server.ts';
import { readLines } from '../host/line-reader.ts';
import { serveSocket } from '../host/serve-socket.ts';
import { createHostClient } from './host-client.ts';

const SETTINGS = { token: 'a-token', runs: 1, memoryMb: 1, lifetimeMinutes: 1, chromium: null };

const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** A host that refuses the first who greet it and leaves their connection open, and says yes to all that others ask. */
async function listen(): Promise<string> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const isRefused = sockets.push(socket) === 1;
    socket.on('error', () => {});
    const answer = (id: number) =>
      isRefused ? { id, error: { code: 'failed', message: 'not now' } } : { id, result: {} };
    const read = readLines((line) => socket.write(`${JSON.stringify(answer(JSON.parse(line).id))}\n`));
    socket.on('data', (piece) => read(piece));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('the end of a link that was given up ends nothing of the one after it', async () => {
  const client = createHostClient({ ...SETTINGS, address: await listen() }, createLog('silent'));
  await expect(client.probe()).rejects.toThrow('cannot be reached');
  const closed: string[] = [];
  const handlers = {
    asked() {},
    withdrawn() {},
    frame() {},
    closed: (reason: string) => void closed.push(reason),
  };
  await client.open({ runId: 'one', allowedSites: [], testHosts: {}, language: 'en' }, handlers);
  const [first] = sockets;
  if (!first) throw new Error('nobody came');
  const gone = new Promise((resolve) => (first.destroyed ? resolve(null) : first.once('close', resolve)));
  first.destroy();
  await gone;
  await client.deny('one', 'ask');
  await new Promise((resolve) => setImmediate(resolve));
  await client.deny('one', 'ask');
  expect(closed).toEqual([]);
  expect(sockets).toHaveLength(2);
  await client.stop();
});

/** The kernel's table of TCP connections (proc_net_tcp of its documentation). */
const CONNECTIONS = '/proc/net/tcp';
const OPEN = '01';
const KEEP_ALIVE = '02';

/** Which timer runs at each end of the open connections to a port. */
function timersOf(port: number): string[] {
  const isOfPort = (address = '') => Number.parseInt(address.split(':')[1] ?? '', 16) === port;
  const lines = readFileSync(CONNECTIONS, 'utf8').split('\n').slice(1);
  return lines.flatMap((line) => {
    const [, local, remote, state, , timer = ''] = line.trim().split(/\s+/);
    return state === OPEN && (isOfPort(local) || isOfPort(remote)) ? [timer.slice(0, 2)] : [];
  });
}

test.skipIf(!existsSync(CONNECTIONS))(
  'both ends of a quiet connection look whether the other is still there',
  async () => {
    const host = new BrowserHost({
      ...{ programs: () => null, limits: { memoryBytes: 1, lifetimeMs: 1, bytes: 1 }, runs: 1 },
      probe: async () => ({
        ...{ state: 'off', reason: 'no walls here', walls: 'namespaces', browser: '', runs: 1, checks: [] },
      }),
    });
    const server = serveSocket(host, '127.0.0.1:0', SETTINGS.token);
    servers.push(server);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const address = `127.0.0.1:${port}`;
    const client = createHostClient({ ...SETTINGS, address }, createLog('silent'));
    expect(await client.probe()).toMatchObject({ state: 'off' });
    await vi.waitFor(() => expect(timersOf(port)).toEqual([KEEP_ALIVE, KEEP_ALIVE]), PATIENT);
    await client.stop();
  },
);
