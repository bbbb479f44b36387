import { expect, test } from 'vitest';
import { type Command, findCommands, isMatch, rangesOf } from './option.ts';

test('all words must occur, in any order and case', () => {
  expect(isMatch('新对话 new chat', 'Chat 新')).toBe(true);
  expect(isMatch('新对话 new chat', 'chat old')).toBe(false);
  expect(isMatch('anything', '')).toBe(true);
});

test('what was found is marked where it stands, without overlaps', () => {
  expect(rangesOf('周末去杭州', '杭州 周末')).toEqual([
    [0, 2],
    [3, 5],
  ]);
  expect(rangesOf('abcd', 'abc bcd')).toEqual([[0, 3]]);
  expect(rangesOf('abcd', 'x')).toEqual([]);
});

test('a text that grows when it is folded is not marked, for its places would be others', () => {
  expect(rangesOf('İstanbul', 'istanbul')).toEqual([]);
});

test('what is called so stands before what is only also called so', () => {
  const command = (label: string, also: string): Command => ({
    key: label,
    label,
    also,
    to: '',
    content: null,
  });
  const commands = [command('Light', 'dark theme'), command('Dark', 'theme'), command('Rename', '')];
  expect(findCommands(commands, 'dark').map(({ label }) => label)).toEqual(['Dark', 'Light']);
  expect(findCommands(commands, '')).toHaveLength(3);
});
