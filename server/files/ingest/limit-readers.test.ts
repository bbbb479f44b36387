import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '#test/runs.ts';
import { READING_LIMITS } from '../reading/reading-rules.ts';
import { limitReaders } from './limit-readers.ts';

const GB = 1024 ** 3;

test.each([
  [2, 24, { ofEachKind: 1, ofApi: 3 }],
  [16, 64, { ofEachKind: 8, ofApi: 16 }],
  [16, 16, { ofEachKind: 2, ofApi: 6 }],
  [4, 8, { ofEachKind: 1, ofApi: 3 }],
  [16, 2, { ofEachKind: 1, ofApi: 2 }],
])('%d cores with %d GB of memory read as many files at once as both allow', (cores, size, readers) => {
  expect(limitReaders(cores, size * GB)).toEqual(readers);
});

test('readers of all kinds together stay within the memory, but for those that there always are', () => {
  const [cores, sizes] = [fc.integer({ min: 1, max: 256 }), fc.integer({ min: 1, max: 512 })];
  const property = fc.property(cores, sizes, (count, size) => {
    const { ofEachKind, ofApi } = limitReaders(count, size * GB);
    const most = Math.max(7, (0.75 * size * GB) / READING_LIMITS.pictureProcess.memory);
    expect([ofEachKind >= 1, ofApi >= 2]).toEqual([true, true]);
    expect(5 * ofEachKind + ofApi).toBeLessThanOrEqual(most);
  });
  fc.assert(property, { numRuns: runs(100) });
});
