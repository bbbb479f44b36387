import { expect, it } from 'vitest';
import { formatDay, formatLongDay, formatMoment, formatMoney } from './formats.ts';

it.each([
  ['zh', 'USD', '$6.90'],
  ['en', 'USD', '$6.90'],
  ['zh', 'CAD', 'CA$6.90'],
  ['en', 'CAD', 'CA$6.90'],
  ['en', 'JPY', '¥690'],
] as const)('in %s 690 minor units of %s are %s', (language, currency, text) => {
  expect(formatMoney(language, 690, currency)).toBe(text);
});

it('a day is written as the language does, in the time zone that is asked for', () => {
  const time = new Date('2026-12-01T23:30:00Z');
  expect(formatLongDay('en', time, 'UTC')).toBe('December 1, 2026');
  expect(formatLongDay('zh', time, 'Asia/Shanghai')).toBe('2026 年 12 月 2 日');
});

it('a day on a page has no place where a line may break', () => {
  const noon = new Date(2026, 11, 1, 12);
  expect(formatDay('en', noon)).toBe('December\u00a01,\u00a02026');
  expect(formatDay('zh', noon)).toBe('2026\u00a0年\u00a012\u00a0月\u00a01\u00a0日');
  expect(formatMoment('en', noon)).toBe('Dec\u00a01,\u00a02026,\u00a012:00\u00a0PM');
  expect(formatMoment('zh', noon)).toBe('2026\u00a0年\u00a012\u00a0月\u00a01\u00a0日\u00a012:00');
});
