import { expect, it } from 'vitest';
import { contextSize, textSize } from './model-texts.ts';

it('a number of tokens is short, and says how much text it holds', () => {
  expect([128_000, 64_000, null].map(contextSize)).toEqual(['128K', '64K', '0']);
  const sizes = [200_000, 128_000, 64_000, 112_000, 900];
  expect(sizes.map((tokens) => textSize('en', tokens))).toEqual([
    '150,000',
    '96,000',
    '48,000',
    '84,000',
    '680',
  ]);
  expect(sizes.map((tokens) => textSize('zh', tokens))).toEqual(['20 万', '13 万', '6.4 万', '11 万', '900']);
});
