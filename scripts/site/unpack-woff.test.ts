import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { unpackWoff } from './unpack-woff.ts';

const name = '@fontsource/newsreader/files/newsreader-latin-500-normal.woff';
const woff = readFileSync(fileURLToPath(import.meta.resolve(name)));

/** Sum of big-endian words, as OpenType's table directory has it. */
function checksum(table: Buffer): number {
  const padded = Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)]);
  let sum = 0;
  for (let at = 0; at < padded.length; at += 4) sum = (sum + padded.readUInt32BE(at)) >>> 0;
  return sum;
}

it('every table of an unpacked font has the checksum that its directory names', () => {
  const font = unpackWoff(woff);
  const count = font.readUInt16BE(4);
  expect(count).toBeGreaterThan(8);
  for (let index = 0; index < count; index += 1) {
    const at = 12 + 16 * index;
    const tag = font.toString('latin1', at, at + 4);
    const start = font.readUInt32BE(at + 8);
    const table = Buffer.from(font.subarray(start, start + font.readUInt32BE(at + 12)));
    if (tag === 'head') table.writeUInt32BE(0, 8);
    expect(checksum(table), tag).toBe(font.readUInt32BE(at + 4));
  }
});

it('what is no WOFF font is refused', () => {
  expect(() => unpackWoff(Buffer.from('wOF2 and more'))).toThrow('no WOFF font');
});
