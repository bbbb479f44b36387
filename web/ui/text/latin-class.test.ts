import { expect, it } from 'vitest';
import { latinClass } from './latin-class.ts';

it.each([
  ['I’d take the train.', 'font-latin'],
  ['', 'font-latin'],
  ['坐高铁', undefined],
  ['Take the 高铁', undefined],
  ['りんご', undefined],
])('a text without Chinese or Japanese characters has Latin quotes: %s', (text, drawn) => {
  expect(latinClass(text)).toBe(drawn);
});
