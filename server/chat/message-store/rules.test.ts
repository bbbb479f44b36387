import { expect, test } from 'vitest';
import { cleanTitle, titleOf } from './rules.ts';

test('a title is the first line of the prompt', () => {
  expect(titleOf('Plan a trip\nto Kyoto')).toBe('Plan a trip');
  expect(titleOf('  Plan a trip\r\nto Kyoto')).toBe('Plan a trip');
});

test('a long title is cut after 40 characters as a reader counts them, or 64 narrow ones', () => {
  expect(titleOf('潮'.repeat(41))).toBe(`${'潮'.repeat(40)}…`);
  const compare = 'Name three cities on the coast and compare them in a table';
  expect(titleOf(compare)).toBe(compare);
  expect(titleOf(`${compare} with their climate`)).toBe(`${compare} with…`);
  expect(titleOf(`${'a'.repeat(40)} ${'b'.repeat(30)}`)).toBe(`${'a'.repeat(40)}…`);
  expect(titleOf(`an ${'b'.repeat(70)}`)).toBe(`an ${'b'.repeat(61)}…`);
  expect(titleOf('潮'.repeat(40))).toBe('潮'.repeat(40));
  const wave = '👋🏽';
  expect(titleOf(wave.repeat(41))).toBe(`${wave.repeat(40)}…`);
});

test('a character of endless marks does not make an endless title', () => {
  expect(titleOf(`Z${'\u0301'.repeat(5_000)}`).length).toBeLessThanOrEqual(400);
});

test.each([
  ['  旅行\u0000 计划\u2028京都\t三天 ', '旅行 计划 京都 三天'],
  ['a\ud800b', 'a\ufffdb'],
  ['\u0007\u200b\u2060 \u3000', ''],
  ['👩‍👩‍👧', '👩‍👩‍👧'],
])('the title %j is kept as %j', (given, kept) => {
  expect(cleanTitle(given)).toBe(kept);
});
