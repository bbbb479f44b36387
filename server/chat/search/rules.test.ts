import { expect, test } from 'vitest';
import { gramsOf } from './rules.ts';

test.each([
  ['灯', ['灯']],
  ['周报', ['周报']],
  ['写周报', ['写周', '周报']],
  ['x', ['x']],
  ['ai', ['ai']],
  ['api', ['api']],
  ['deploy', ['dep', 'epl', 'plo', 'loy']],
  ['a网', ['a网']],
  ['用ai写', ['用a', 'ai', 'i写']],
  ['用api写', ['用a', 'api', 'i写']],
  ['😀灯', ['😀灯']],
])('the index is asked for %j by %j', (word, grams) => {
  expect(gramsOf(word)).toEqual(grams);
});
