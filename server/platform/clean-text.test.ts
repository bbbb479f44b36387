import { describe, expect, it } from 'vitest';
import { cleanName, cleanTexts } from './clean-text.ts';

describe('a name', () => {
  it.each([
    ['Ada\u202Egnp.exe', 'Adagnp.exe'],
    ['\u2067Ada\u2069 \u200Fx\u061C', 'Ada x'],
    ['\u001B[31mAda\u001B[0m\u0007', '[31mAda[0m'],
    ['Ada\r\nBcc: x\u2028y', 'Ada Bcc: x y'],
    ['Ada\u0000\uD800', 'Ada\uFFFD'],
    ['\u202E\u200D \u001B', ''],
    ['林 晓雨 👩‍💻', '林 晓雨 👩‍💻'],
    ['عَلِي می‌خواهم', 'عَلِي می‌خواهم'],
  ])('%j becomes %j', (given, cleaned) => {
    expect(cleanName(given)).toBe(cleaned);
  });
});

it('a JSON value is cleaned in each of its texts', () => {
  const value = { text: 'a\0b', n: 1, none: null, rows: [['\ud800', 'c'], [{ deep: 'd\0' }]], is: true };
  const cleaned = { text: 'ab', n: 1, none: null, rows: [['\ufffd', 'c'], [{ deep: 'd' }]], is: true };
  expect(cleanTexts(value)).toEqual(cleaned);
});
