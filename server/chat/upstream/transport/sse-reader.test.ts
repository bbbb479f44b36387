import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '#test/runs.ts';
import { createSseReader, MAX_EVENT } from './sse-reader.ts';
import type { UpstreamError } from './upstream-error.ts';

function readAll(chunks: Uint8Array[]): string[] {
  const read: string[] = [];
  const readChunk = createSseReader((data) => read.push(data));
  for (const chunk of chunks) readChunk(Buffer.from(chunk));
  return read;
}

/** What the parser makes of the same text in one piece. */
function readWhole(text: string): string[] {
  const read: string[] = [];
  createParser({ onEvent: (event) => read.push(event.data) }).feed(text);
  return read;
}

function cutAt(bytes: Buffer, cuts: number[]): Buffer[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
const value = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replace(/[\r\n]/g, '')),
  fc.constantFrom('你好，世界', '👨‍👩‍👧‍👦', '{"text":"流"}', ' two leading blanks', 'ünïcödé', '\u0000'),
);
const line = fc.oneof(
  value.map((text) => `data: ${text}`),
  value.map((text) => `data:${text}`),
  value.map((text) => `: ${text}`),
  fc.constantFrom('', '', '', 'data', 'event: text', 'id: 7', 'retry: 10', 'dataX: no', 'dat: no', ':'),
);
const stream = fc
  .array(fc.tuple(line, lineEnd), { maxLength: 30 })
  .map((lines) => lines.map(([text, end]) => text + end).join(''));

describe('createSseReader', () => {
  test('reads the same events, however the bytes are cut', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 40 }), (text, cuts) => {
        expect(readAll(cutAt(Buffer.from(text), cuts))).toEqual(readWhole(text));
      }),
      { numRuns: runs(2_000) },
    );
  });

  test('survives every cut in two and byte by byte', () => {
    const text =
      'data: {"a":"你好👍"}\r\n\r\n: c\r\ndata: x\r\rdata: y\n\ndata\n\ndata: 1\r\ndata: 2\r\n\r\n';
    const bytes = Buffer.from(text);
    const whole = ['{"a":"你好👍"}', 'x', 'y', '', '1\n2'];
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(readAll([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(whole);
    }
    expect(readAll([...bytes].map((byte) => Buffer.of(byte)))).toEqual(whole);
  });

  test('takes arbitrary bytes without failing', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 20 }), (chunks) => {
        readAll(chunks);
      }),
      { numRuns: runs(1_000) },
    );
  });

  test('strips one byte order mark', () => {
    expect(readAll([Buffer.from('\ufeffdata: a\n\n')])).toEqual(['a']);
  });

  test('holds an event back until its blank line has come', () => {
    expect(readAll([Buffer.from('data: a\n\ndata: unterminated\n')])).toEqual(['a']);
  });

  test.each([
    ['a line without an end', `data: ${'x'.repeat(MAX_EVENT)}`],
    ['an event of many lines', `data: ${'x'.repeat(1_000)}\n`.repeat(MAX_EVENT / 1_000 + 1)],
  ])('refuses %s that is larger than 1 MiB', (_name, text) => {
    const chunks = cutAt(
      Buffer.from(text),
      Array.from({ length: 64 }, (_, index) => index * 16_384),
    );
    expect(() => readAll(chunks)).toThrow(
      expect.objectContaining({ kind: 'parse' } satisfies Partial<UpstreamError>),
    );
  });

  test('takes any number of events, each below the limit', () => {
    const event = `data: ${'x'.repeat(MAX_EVENT / 2)}\n\n`;
    expect(readAll([Buffer.from(event.repeat(5))])).toHaveLength(5);
  });

  test('takes any number of comments', () => {
    expect(readAll([Buffer.from(`${': keep-alive\n\n'.repeat(200_000)}data: a\n\n`)])).toEqual(['a']);
  });
});
