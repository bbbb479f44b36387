import { describe, expect, test } from 'vitest';
import { readAloud, sentencesEnd } from './sentences.ts';

const said = (text: string, from = 0) => text.slice(from, sentencesEnd(text, from));

describe('the whole sentences of a growing answer', () => {
  test.each([
    ['Hello there. How a', 'Hello there.'],
    ['Hello there.', ''],
    ['第一句。第二', '第一句。'],
    ['他说：“好。”然后', '他说：“好。”'],
    ['Version 3.5 is out', ''],
    ['1. Boil water', ''],
    ['- one\n- tw', '- one\n'],
    ['Look:\n```js\nrun(); // done. ', 'Look:\n'],
    ['Look:\n```js\nrun();\n```\nThen', 'Look:\n```js\nrun();\n```\n'],
    ['', ''],
  ])('of %j are %j', (text, expected) => {
    expect(said(text)).toBe(expected);
  });

  test('go on where the last ones ended', () => {
    expect(said('第一句。第二句。第', 4)).toBe('第二句。');
  });
});

test.each([
  ['## A **bold** [link](https://example.com)', 'A bold link'],
  ['> quoted `code`', 'quoted code'],
  ['Look:\n```js\nrun();\n```\nDone.', 'Look: Code Done.'],
  ['| a | b |\n| :-- | --- |\n| c | d |', 'a b c d'],
])('%j is read as %j', (markdown, expected) => {
  expect(readAloud(markdown, 'Code')).toBe(expected);
});
