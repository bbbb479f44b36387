import { expect, test } from 'vitest';
import { cleanTitle, decideEnding, titleOf } from './rules.ts';

test('a title is the first line of the prompt', () => {
  expect(titleOf('Plan a trip\nto Kyoto')).toBe('Plan a trip');
  expect(titleOf('  Plan a trip\r\nto Kyoto')).toBe('Plan a trip');
});

test('a long title is cut after 40 characters as a reader counts them', () => {
  expect(titleOf('潮'.repeat(41))).toBe(`${'潮'.repeat(40)}…`);
  expect(titleOf('潮'.repeat(40))).toBe('潮'.repeat(40));
  const wave = '👋🏽';
  expect(titleOf(wave.repeat(41))).toBe(`${wave.repeat(40)}…`);
});

test('a character of endless marks does not make an endless title', () => {
  expect(titleOf(`Z${'\u0301'.repeat(5_000)}`).length).toBeLessThanOrEqual(400);
});

test.each([
  ['finished', 'Paris.', { status: 'completed', charged: true, errorCode: null, reason: 'completed' }],
  [
    'finished',
    ' \n\t',
    { status: 'failed', charged: false, errorCode: 'upstream_empty', reason: 'upstream_empty' },
  ],
  [
    'finished',
    '',
    { status: 'failed', charged: false, errorCode: 'upstream_empty', reason: 'upstream_empty' },
  ],
  ['stopped', 'Par', { status: 'stopped', charged: true, errorCode: null, reason: 'stopped' }],
  ['stopped', ' ', { status: 'stopped', charged: false, errorCode: null, reason: 'stopped' }],
  ['stopped', '', { status: 'stopped', charged: false, errorCode: null, reason: 'stopped' }],
  [
    { failed: 'upstream_timeout' },
    'Par',
    { status: 'failed', charged: false, errorCode: 'upstream_timeout', reason: 'upstream_timeout' },
  ],
] as const)('%o after "%s" is %o', (cause, answer, ending) => {
  expect(decideEnding(cause, answer)).toEqual(ending);
});

test.each([
  ['  旅行\u0000 计划\u2028京都\t三天 ', '旅行 计划 京都 三天'],
  ['a\ud800b', 'a\ufffdb'],
  ['\u0007\u200b\u2060 \u3000', ''],
  ['👩‍👩‍👧', '👩‍👩‍👧'],
])('the title %j is kept as %j', (given, kept) => {
  expect(cleanTitle(given)).toBe(kept);
});
