import { describe, expect, test } from 'vitest';
import { estimateTokens } from './estimate-tokens.ts';

/** Texts with the count that common tokenizers give, at the higher end of what they differ by. */
const TEXTS: [string, string, number][] = [
  ['English prose', 'The quick brown fox jumps over the lazy dog and runs away into the forest.', 17],
  ['Chinese prose', '人工智能正在改变我们的生活方式，也改变着我们的工作方式。', 20],
  ['code', 'const total = items.reduce((sum, item) => sum + item.price * item.count, 0);', 22],
  ['digits', '2026-11-21 03:14:15', 19],
];

const RARE: [string, string][] = [
  ['Tibetan', 'བོད་ཡིག'],
  ['Burmese', 'မြန်မာစာ'],
  ['Khmer', 'ភាសាខ្មែរ'],
  ['Amharic', 'አማርኛ'],
  ['Georgian', 'ქართული'],
  ['Armenian', 'հայերեն'],
  ['Lao', 'ລາວ'],
  ['emoji', '👩‍👩‍👧‍👦🇨🇳👍🏽'],
];

const COMMON: [string, string][] = [
  ['Hindi', 'हिन्दी में एक वाक्य'],
  ['Thai', 'ภาษาไทย'],
  ['Vietnamese', 'Tiếng Việt'],
  ['Russian', 'Русский язык'],
  ['Arabic', 'العربية'],
  ['Korean', '한국어'],
  ['quotation marks', '“…”—→'],
];

describe('estimateTokens', () => {
  test.each(TEXTS)('does not count %s short, nor double', (_name, text, tokens) => {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(tokens * 0.9);
    expect(estimateTokens(text)).toBeLessThanOrEqual(tokens * 2);
  });

  test.each(RARE)('counts the bytes of %s, which a tokenizer may have singly', (_name, text) => {
    expect(estimateTokens(text)).toBe(Buffer.byteLength(text));
  });

  test.each(COMMON)('counts at most one for each character of %s', (_name, text) => {
    expect(estimateTokens(text)).toBeLessThanOrEqual(text.length);
  });

  test('is nothing for nothing, and two for a lone half of a surrogate pair', () => {
    expect(estimateTokens('')).toBe(0);
    expect(estimateTokens('\ud800')).toBe(2);
  });
});
