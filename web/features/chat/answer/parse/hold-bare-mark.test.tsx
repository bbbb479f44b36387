import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { MarkdownText } from '../markdown-text.tsx';
import { holdBareMark } from './hold-bare-mark.ts';

test.each([
  ['-', ''],
  ['前言\n\n1.', '前言\n\n'],
  ['1. 一\n2.', '1. 一\n'],
  ['1. 一\n2. ', '1. 一\n'],
  ['- 一\n  - ', '- 一\n'],
  ['- 一\n- 1)', '- 一\n'],
  ['- 一\n\n*\n', '- 一\n\n'],
  ['> 引\n> +', '> 引\n'],
  ['- [x] 已完\n- [', '- [x] 已完\n'],
  ['- [x] 已完\n- [ ] ', '- [x] 已完\n'],
])('a mark of a list alone at the end is held back: %j', (source, shown) => {
  expect(holdBareMark(source)).toBe(shown);
});

test.each(['', '42', '1. 一', '- 一\n续', '2 - ', '前言 -', '**重', '- [x] 完', '1.5', '- 一\n\n二', '---'])(
  'any other end stays: %j',
  (source) => {
    expect(holdBareMark(source)).toBe(source);
  },
);

test('a list that is being written has no empty item, and one that has ended has all of its items', () => {
  const draw = (source: string, open: boolean) =>
    renderToStaticMarkup(<MarkdownText messageId="m" source={source} open={open} ties="" />);
  const text = '前言\n\n1. **一**\n2. 二\n   - 三\n   - 四';
  for (let end = 1; end <= text.length; end += 1)
    expect(draw(text.slice(0, end), true)).not.toMatch(/<li>\s*<\/li>/);
  expect(draw('- 一\n-', false)).toMatch(/<li>\s*<\/li>/);
});
