import { createSocket } from 'node:dgram';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resolveName } from './resolve-public.ts';

const ADDRESSES: Record<string, Record<number, number[][]>> = {
  'both.test': { 1: [[1, 2, 3, 4]], 28: [[0x26, 6, ...Array(13).fill(0), 1]] },
  'old.test': {
    1: [
      [1, 2, 3, 4],
      [1, 2, 3, 5],
    ],
  },
};
/** A name server, as RFC 1035 has it; it is silent about names that it does not know. */
const server = createSocket('udp4');
let servers: string[];
beforeAll(async () => {
  server.on('message', (query, from) => {
    const labels: string[] = [];
    let at = 12;
    for (; query[at]; at += (query[at] ?? 0) + 1)
      labels.push(query.toString('latin1', at + 1, at + 1 + (query[at] ?? 0)));
    const known = ADDRESSES[labels.join('.')];
    if (!known) return;
    const type = query.readUInt16BE(at + 1);
    const found = (known[type] ?? []).map((bytes) =>
      Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]),
    );
    const head = Buffer.from([query[0] ?? 0, query[1] ?? 0, 0x81, 0x80, 0, 1, 0, found.length, 0, 0, 0, 0]);
    server.send(Buffer.concat([head, query.subarray(12, at + 5), ...found]), from.port, from.address);
  });
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  servers = [`127.0.0.1:${server.address().port}`];
});
afterAll(() => new Promise<void>((resolve) => server.close(resolve)));

test('a name has all addresses of both kinds', async () => {
  expect(await resolveName('both.test', servers)).toEqual(['1.2.3.4', '2606::1']);
  expect(await resolveName('old.test', servers)).toEqual(['1.2.3.4', '1.2.3.5']);
});

test('names whose servers are silent hold up no other', async () => {
  const asked = Array.from({ length: 8 }, (_, n) => resolveName(`silent${n}.test`, servers));
  const first = await Promise.race([...asked, resolveName('old.test', servers)]);
  expect(first).toEqual(['1.2.3.4', '1.2.3.5']);
});
