import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { FetchRefused, fetchPublic, type PublicFetch } from './fetch-public.ts';
import { isPublicAddress } from './public-address.ts';

let answer: (request: IncomingMessage, response: ServerResponse) => void;
let hits = 0;
const server = createServer((request, response) => {
  hits += 1;
  answer(request, response);
});
let options: PublicFetch;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const testHosts = { 'pictures.test': `127.0.0.1:${port}` };
  options = { limit: 1_000, timeoutMs: 5_000, accept: 'image/*', testHosts };
});
beforeEach(() => {
  hits = 0;
  answer = (_request, response) => response.end('a picture');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const PRIVATE = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.170',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '203.0.113.7',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:8.8.8.8',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::a00:1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  'no address',
  '',
];

test.each(PRIVATE)('%s is no public address', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(['1.1.1.1', '8.8.8.8', '100.63.255.255', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::1'])(
  '%s is a public address',
  (address) => expect(isPublicAddress(address)).toBe(true),
);

test.each([
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.0x0.0x0.0x1/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://１２７.０.０.１/',
  'https://127。0。0。1/',
  'https://0/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[0:0:0:0:0:ffff:7f00:1]/',
  'https://[64:ff9b::127.0.0.1]/',
  'https://[2002:7f00:1::]/',
  'https://localhost/',
  'https://localhost./',
  'https://LOCALHOST/',
  'https://user:secret@pictures.test/',
  'https://pictures.test:8443/',
  'http://pictures.test/',
  'ftp://pictures.test/',
  'file:///etc/passwd',
  'data:image/png;base64,AAAA',
  '//pictures.test/',
  'https://',
  '',
])('%j is not fetched', async (address) => {
  await expect(fetchPublic(address, options)).rejects.toBeInstanceOf(FetchRefused);
  expect(hits).toBe(0);
});

test('a name is fetched at the address that was looked at, and asked for once', async () => {
  let asked = 0;
  const rebinding = async () => {
    asked += 1;
    return asked === 1 ? ['192.0.2.1'] : ['127.0.0.1'];
  };
  await expect(fetchPublic('https://a.example/', { ...options, resolve: rebinding })).rejects.toThrow(
    /public/,
  );
  expect(asked).toBe(1);
});

test.each([[[]], [['10.0.0.1']], [['1.1.1.1', '127.0.0.1']], [['2606:4700::1111', '::1']]])(
  'a name of %j is not fetched',
  async (addresses) => {
    const resolve = async () => addresses;
    await expect(fetchPublic('https://a.example/', { ...options, resolve })).rejects.toThrow(/public/);
  },
);

test('what an address answers is read as it is, with no sign of who asks', async () => {
  answer = (request, response) => {
    response.setHeader('content-type', 'image/png');
    response.end(JSON.stringify(request.headers));
  };
  const { bytes, type } = await fetchPublic('https://pictures.test/a.png?b=c', options);
  expect(type).toBe('image/png');
  expect(JSON.parse(bytes.toString())).toEqual({
    accept: 'image/*',
    'accept-encoding': 'identity',
    connection: 'close',
    host: 'pictures.test',
    'user-agent': 'Parley',
  });
});

test.each([
  'https://127.0.0.1/secret',
  'http://pictures.test/',
  'https://[::1]/',
  'https://169.254.169.254/latest/meta-data',
  'file:///etc/passwd',
  '',
])('a redirect to %j is not followed', async (location) => {
  answer = (_request, response) => response.writeHead(302, { location }).end();
  await expect(fetchPublic('https://pictures.test/', options)).rejects.toBeInstanceOf(FetchRefused);
  expect(hits).toBe(1 + (location === '' ? 3 : 0));
});

test('redirects are followed three times', async () => {
  answer = ({ url = '' }, response) => {
    const next = Number(url.slice(1)) + 1;
    if (next > 3) response.end('there');
    else response.writeHead(307, { location: `/${next}` }).end();
  };
  expect((await fetchPublic('https://pictures.test/0', options)).bytes.toString()).toBe('there');
  await expect(fetchPublic('https://pictures.test/-1', options)).rejects.toThrow(/from one to the next/);
});

test.each<[string, typeof answer]>([
  ['is longer than it may be', (_request, response) => response.end('x'.repeat(1_001))],
  [
    'announces more than it may be',
    (_request, response) => response.writeHead(200, { 'content-length': 9_999 }).end(),
  ],
  ['is compressed', (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x')],
  ['is no answer', (_request, response) => response.destroy()],
  [
    'breaks off',
    (_request, response) =>
      response.writeHead(200, { 'content-length': 10 }).write('x', () => response.destroy()),
  ],
  ['is 404', (_request, response) => response.writeHead(404).end()],
  ['never comes', () => {}],
  ['never ends', (_request, response) => response.writeHead(200).write('x')],
])('an answer that %s is none', async (_name, play) => {
  answer = play;
  const short = { ...options, timeoutMs: 200 };
  await expect(fetchPublic('https://pictures.test/', short)).rejects.toBeInstanceOf(FetchRefused);
});

test('a name whose servers are silent is given up in time', async () => {
  const silent = { ...options, timeoutMs: 200, resolve: () => new Promise<never>(() => {}) };
  await expect(fetchPublic('https://a.example/', silent)).rejects.toBeInstanceOf(FetchRefused);
});

test('whoever asked can stop it', async () => {
  const stop = new AbortController();
  answer = () => stop.abort();
  await expect(fetchPublic('https://pictures.test/', { ...options, signal: stop.signal })).rejects.toThrow();
});
