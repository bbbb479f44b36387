import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '#test/runs.ts';
import { foldMessage, foldText, slotsOfText, slotsOfWords } from './slot-rules.ts';

test.each([
  ['灯', 1],
  ['周报', 3],
  ['写周报', 2],
  ['x', 1],
  ['ai', 3],
  ['api', 1],
  ['deploy', 4],
  ['a网', 3],
  ['用ai写', 3],
  ['用api写', 3],
  ['😀灯', 3],
])('the index is asked for %j by %i numbers, which every text with it has', (word, count) => {
  const slots = slotsOfWords([word]);
  expect(slots).toHaveLength(count);
  expect(slotsOfText(`有 ${word} 的`)).toEqual(expect.arrayContaining(slots));
  expect(slotsOfText(`有${word}的`)).toEqual(expect.arrayContaining(slots));
});

test('a text has no number of what is not in it, as far as 32,768 of them tell texts apart', () => {
  const [pair] = slotsOfWords(['月光']);
  expect(slotsOfText('月亮 光')).not.toContain(pair);
  expect(slotsOfText('月 光')).not.toContain(pair);
  expect(slotsOfText('a b c')).toHaveLength(3);
  expect(slotsOfText('abc')).toHaveLength(6);
});

test('a text has every number of every word in it, each once, and each fits a smallint', () => {
  const piece = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '月', '光', '😀', ' ') });
  const word = piece.filter((one) => one !== '' && !one.includes(' '));
  fc.assert(
    fc.property(piece, word, piece, (before, one, after) => {
      const slots = slotsOfText(before + one + after);
      expect(slots).toEqual(expect.arrayContaining(slotsOfWords([one])));
      expect(new Set(slots).size).toBe(slots.length);
      for (const slot of slots) expect(slot >= 0 && slot <= 32_767 && Number.isInteger(slot)).toBe(true);
    }),
    { numRuns: runs(1_000) },
  );
});

test('any text with marks folds to itself once it is folded', () => {
  const piece = fc.constantFrom('a', 'İ', '\u0344', '\u0345', '\u0334', '\uFF9E', 'ガ', 'क्षि', ' ');
  const text = fc
    .array(fc.tuple(piece, fc.nat({ max: 40 })))
    .map((all) => all.map(([one, n]) => one.repeat(n)).join(''));
  fc.assert(
    fc.property(text, (one) => {
      expect(foldText(foldText(one))).toBe(foldText(one));
    }),
    { numRuns: runs(1_000) },
  );
});

test('a message of marks in the wrong order holds nothing up', () => {
  const begun = process.cpuUsage();
  foldMessage(`a${'\u0345'.repeat(50_000)}${'\u0334'.repeat(50_000)}`);
  expect(process.cpuUsage(begun).user).toBeLessThan(5_000_000);
});
