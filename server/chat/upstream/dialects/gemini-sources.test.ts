import { expect, test } from 'vitest';
import { SourcesReader } from './gemini-sources.ts';

const SINK = { onText() {}, onReasoning() {}, onPart() {}, onFirst() {} };

function supportsOf(text: string, segments: { startIndex: number; endIndex: number }[]) {
  const reader = new SourcesReader();
  reader.hear(SINK)(text);
  reader.read({
    groundingChunks: [{ web: { uri: 'https://a.example/', title: 'A' } }],
    groundingSupports: segments.map((segment) => ({ segment, groundingChunkIndices: [0] })),
  });
  return reader.end()?.supports.map(({ start, end }) => [start, end]);
}

test('places count as the text is stored: without NUL, and a broken character as one', () => {
  const text = 'a\0😀\ud800万';
  const segments = [
    [0, 1],
    [0, 2],
    [1, 6],
    [4, 6],
    [6, 9],
    [9, 12],
    [0, 12],
    [0, 13],
    [2, 2],
  ].map(([startIndex = 0, endIndex = 0]) => ({ startIndex, endIndex }));
  expect(supportsOf(text, segments)).toEqual([
    [0, 1],
    [0, 1],
    [1, 3],
    [2, 3],
    [3, 4],
    [4, 5],
    [0, 5],
  ]);
});

test('many sources of a long answer hold nothing up', () => {
  const segments = Array.from({ length: 2_000 }, (_, n) => ({
    startIndex: n * 1_500,
    endIndex: n * 1_500 + 900,
  }));
  const begun = performance.now();
  expect(supportsOf('万'.repeat(1_000_000), segments)).toHaveLength(2_000);
  // Looking for each place from the start would take minutes.
  expect(performance.now() - begun).toBeLessThan(20_000);
});
