import { expect, it } from 'vitest';
import { textOf } from './text-of.ts';

const dictionary = { send: { refused: '需 {{needed}} Credits，{{name}}' } };
const numbers = new Intl.NumberFormat('en');

it('a text has its parameters filled in, numbers grouped', () => {
  const params = { needed: 32000, name: '$& 对谈' };
  expect(textOf(dictionary, 'send.refused', params, numbers)).toBe('需 32,000 Credits，$& 对谈');
});

it('a parameter that is not given stays as it stands', () => {
  expect(textOf(dictionary, 'send.refused', { needed: 8 }, numbers)).toBe('需 8 Credits，{{name}}');
});

it.each([
  [1, '1 step was taken'],
  [0, '0 steps were taken'],
  [2, '2 steps were taken'],
  [1_000, '1,000 steps were taken'],
  ['1', '1 step was taken'],
])('a word goes with its number: %s', (count, due) => {
  const text = '{{count}} {{count:step|steps}} {{count:was|were}} taken';
  expect(textOf({ text }, 'text', { count }, numbers)).toBe(due);
  expect(textOf({ text }, 'text', {}, numbers)).toBe(text);
});

it.each([
  ['换成 {{model}} · 8', '对谈 Flash', '换成对谈 Flash · 8'],
  ['换成 {{model}} · 8', 'Gemini', '换成 Gemini · 8'],
  ['前面有 {{model}} 看不了的', '对谈', '前面有对谈看不了的'],
  ['前面有 {{model}} 看不了的', '对谈 Flash', '前面有对谈 Flash 看不了的'],
  ['Switch to {{model}} now', '对谈', 'Switch to 对谈 now'],
])('between Chinese and a Chinese name there is no space: %s, %s', (text, model, due) => {
  expect(textOf({ text }, 'text', { model }, numbers)).toBe(due);
});

it('a missing text, or a branch of the dictionary, shows as its key', () => {
  for (const key of ['send', 'send.refused.more', 'nothing.here', ''])
    expect(textOf(dictionary, key, {}, numbers)).toBe(key);
});
