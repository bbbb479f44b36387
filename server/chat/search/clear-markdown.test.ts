import { expect, test } from 'vitest';
import { clearMarkdown } from './clear-markdown.ts';

test.each([
  ['## 潮汐\n\n**月球**和*太阳*的引力', '潮汐\n月球和太阳的引力'],
  ['- one\n- [x] two\n> quoted', 'one\ntwo\nquoted'],
  ['See [the map](https://example.com/a "Map") and ![a boat](/b.png).', 'See the map and a boat.'],
  ['| Sea | Tide |\n| --- | :-: |\n| North | 2 m |', ' Sea Tide \n North 2 m '],
  ['```js\nconst a_b = 2 * 3;\n```\nthen `run` it', '\nconst a_b = 2 * 3;\nthen run it'],
  ['_one_ and __two__ and ~~three~~', 'one and two and three'],
  ['snake_case, 2*3, a * b, $x_1$, 5_000, 1. first', 'snake_case, 2*3, a * b, $x_1$, 5_000, 1. first'],
])('%j is read as %j', (markdown, text) => {
  expect(clearMarkdown(markdown)).toBe(text);
});

test('a text without words in it but marks becomes empty or short, whatever its length', () => {
  for (const mark of ['*', '_', '`', '#', '>', '[', '![', '|', '- ', '](', '~~~', '\n'])
    expect(clearMarkdown(mark.repeat(100_000)).length).toBeLessThanOrEqual(mark.length * 100_000);
});

test('a long run of blanks holds nothing up', () => {
  const blanks = ' \t'.repeat(50_000);
  const begun = process.cpuUsage();
  for (const end of ['tide', '| tide', '- tide'])
    expect(clearMarkdown(`low${blanks}\n${blanks}${end}`)).toMatch(/^low ?\n ?tide$/);
  expect(process.cpuUsage(begun).user).toBeLessThan(2_000_000);
});
