import { expect, test } from 'vitest';
import { speakable } from './sentences.ts';

test.each([
  ['a sentence that has not ended waits', 'One is whole. Two is', 'One is whole.'],
  ['Chinese sentences end without a blank', '说完了。还没', '说完了。'],
  ['a closing quote belongs to its sentence', '他说：“好。”然后', '他说：“好。”'],
  ['a number goes on behind its point', 'Pi is 3.14159 and', ''],
  ['a line ends what stands in it', '- first\n- sec', 'first '],
  [
    'marks are not said',
    '## Head\n**bold** and `code` and [a link](https://x.y/z).\n',
    'Head bold and code and a link. ',
  ],
])('%s', (_, text, expected) => {
  expect(speakable(text, false)).toBe(expected);
});

test('code is not said, neither whole nor while it comes', () => {
  expect(speakable('So:\n```js\nlet a = 1;\n', false)).toBe('So: ');
  expect(speakable('So:\n```js\nlet a = 1;\n```\nDone. ', false)).toBe('So: Done.');
});

test('once it ended all of it is said, and what was said before is its beginning', () => {
  const text = '先说结论。\n\n- 一点\n- **两点** 。\n\n```js\nx\n```\n最后 a.b 这句没有句号';
  const all = speakable(text, true);
  expect(all.endsWith('最后 a.b 这句没有句号')).toBe(true);
  for (let end = 1; end < text.length; end += 1)
    expect(all.startsWith(speakable(text.slice(0, end), false).trim())).toBe(true);
});
