import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hostileHosts, startSecret } from '#test/computer/attacks.ts';
import { type EgressProxy, type ProxyRules, startEgressProxy } from './egress-proxy.ts';

let folder: string;
let socketPath: string;
let proxy: EgressProxy | null = null;
let secret: Awaited<ReturnType<typeof startSecret>>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-proxy-'));
  socketPath = join(folder, 'proxy.sock');
  secret = await startSecret('0.0.0.0');
});

afterEach(async () => {
  await proxy?.close();
  secret.close();
  rmSync(folder, { recursive: true });
});

async function start(rules: Partial<ProxyRules>) {
  proxy = await startEgressProxy(socketPath, {
    ...{
      mayReach: () => true,
      testHosts: {},
      maxBytes: 1_000_000,
      resolve: async () => ['127.0.0.1'],
      ...rules,
    },
  });
  return proxy;
}

/** The status that the proxy answers a tunnel, or a plain request, with. */
function ask(method: string, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, method, path, agent: false });
    sent.once('error', reject);
    sent.once('connect', (response, socket) => {
      socket.destroy();
      resolve(response.statusCode ?? 0);
    });
    sent.once('response', (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
      response.once('error', reject);
    });
    sent.end();
  });
}

it('no address of this machine or of a network that is not public is connected to, however it is written', async () => {
  await start({});
  // A browser writes hosts in ASCII by the time it asks a proxy.
  for (const host of hostileHosts([]).filter((each) => /^[\x21-\x7e]+$/.test(each))) {
    for (const port of [80, 443, secret.port]) {
      expect([host, port, await ask('CONNECT', `${host}:${port}`)]).toEqual([host, port, 403]);
      expect([host, port, await ask('GET', `http://${host}:${port}/`)]).toEqual([host, port, 403]);
    }
  }
  expect(secret.connections()).toBe(0);
});

it.each([
  ['one address of several that is not public', ['2001:4860:4860::8888', '127.0.0.1']],
  ['an address of IPv4 within IPv6', ['::ffff:127.0.0.1']],
  ['no address', []],
])('a name with %s is not connected to', async (_, addresses) => {
  await start({ resolve: async () => addresses });
  expect(await ask('CONNECT', 'lying.example:443')).toBe(403);
});

it('a name is looked up once in a run, so that it cannot come to mean another address', async () => {
  const answers = [['127.0.0.1'], ['2001:4860:4860::8888']];
  let looked = 0;
  await start({
    resolve: async () => {
      looked += 1;
      return answers.shift() ?? [];
    },
  });
  for (let n = 0; n < 3; n += 1) expect(await ask('CONNECT', 'rebinding.example:443')).toBe(403);
  expect(looked).toBe(1);
});

it('a name that was not found is looked up again, and no more than a thousand names are', async () => {
  const answers: Record<string, string[][]> = { 'late.example': [[], ['2001:4860:4860::8888']] };
  let looked = 0;
  const started = await start({
    resolve: async (name) => {
      looked += 1;
      return answers[name]?.shift() ?? [];
    },
  });
  expect([await started.find('late.example'), await started.find('late.example')]).toEqual([
    'unknown',
    'public',
  ]);
  expect(await started.find('late.example')).toBe('public');
  expect(looked).toBe(2);
  for (let n = 0; n < 1_100; n += 1) await started.find(`n${n}.example`);
  expect(looked).toBe(1_001);
});

it('a host that no request was let through to is not even looked up', async () => {
  let looked = 0;
  await start({
    mayReach: () => false,
    resolve: async () => {
      looked += 1;
      return [];
    },
  });
  expect(await ask('CONNECT', 'update.googleapis.com:443')).toBe(403);
  expect(looked).toBe(0);
});

it('a test host is its port of this machine, at the usual port alone', async () => {
  await start({ testHosts: { 'shop.test': `127.0.0.1:${secret.port}` } });
  expect(await ask('GET', 'http://shop.test/goods?n=1')).toBe(200);
  expect(secret.hits).toEqual(['shop.test/goods?n=1']);
  expect(await ask('GET', 'http://shop.test:81/')).toBe(403);
  expect(await ask('CONNECT', 'shop.test:22')).toBe(403);
});

it.each(['HTTP/1.1 050 x\r\n\r\n', 'HTTP/1.1 200 OK\r\nContent-Le', 'nonsense\r\n\r\n'])(
  'an answer that is none fails alone: %j',
  async (said) => {
    const odd = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(said);
    });
    await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', () => resolve()));
    const { port } = odd.address() as { port: number };
    const hosts = { 'odd.test': `127.0.0.1:${port}`, 'shop.test': `127.0.0.1:${secret.port}` };
    await start({ testHosts: hosts });
    expect(await ask('GET', 'http://odd.test/')).toBe(502);
    expect(await ask('GET', 'http://shop.test/')).toBe(200);
    odd.close();
  },
);

it('beyond its bytes a run gets no more', async () => {
  const large = createServer((_, response) => response.end(Buffer.alloc(200_000)));
  await new Promise<void>((resolve) => large.listen(0, '127.0.0.1', () => resolve()));
  const { port } = large.address() as { port: number };
  const started = await start({ testHosts: { 'shop.test': `127.0.0.1:${port}` }, maxBytes: 300_000 });
  expect(await ask('GET', 'http://shop.test/')).toBe(200);
  await ask('GET', 'http://shop.test/').catch(() => 0);
  expect(await ask('GET', 'http://shop.test/')).toBe(403);
  expect(started.bytes).toBeLessThan(500_000);
  large.close();
});
