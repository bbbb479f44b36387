import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { receiveBody } from './receive-body.ts';

const LIMIT = 2_000_000;

let folder: string;
let received: unknown[];
const server = createServer(async (incoming, outgoing) => {
  const where = join(folder, String(incoming.url));
  const one = await receiveBody(incoming, where, LIMIT).then(
    async (body) => {
      const files = await readdir(where);
      const bytes = await body.read();
      await body.close();
      return { size: body.size, files, bytes };
    },
    ({ code }) => code,
  );
  received.push(one);
  outgoing.end();
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-bodies-'));
  await writeFile(join(folder, 'taken'), '');
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
beforeEach(() => {
  received = [];
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

function begin(headers: Record<string, number> = {}, path = '/new') {
  const { port } = server.address() as AddressInfo;
  const call = request({ port, host: '127.0.0.1', method: 'POST', path, headers });
  call.on('response', (response) => response.resume()).on('error', () => {});
  return call;
}

it('a body is what was sent, and its file has no name', async () => {
  const bytes = randomBytes(LIMIT);
  begin().end(bytes);
  await expect.poll(() => received.length).toBe(1);
  expect(received).toEqual([{ size: LIMIT, files: [], bytes }]);
});

it('a body of more bytes than may come is refused', async () => {
  begin().end(randomBytes(LIMIT + 1));
  await expect.poll(() => received).toEqual(['payload_too_large']);
});

it('a body whose connection closes before its end is none', async () => {
  const call = begin({ 'content-length': LIMIT });
  call.write(randomBytes(1_000));
  setTimeout(() => call.destroy(), 50);
  await expect.poll(() => received).toEqual(['invalid_json']);
});

it('where no file can be made a body is refused as unavailable', async () => {
  begin({}, '/taken/new').end('x');
  await expect.poll(() => received).toEqual(['unavailable']);
});
