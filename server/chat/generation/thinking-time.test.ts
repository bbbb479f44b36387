import { expect, test } from 'vitest';
import type { AnswerPart } from '#contract/message/parts.ts';
import { ThinkingTime } from './thinking-time.ts';

const THOUGHT: AnswerPart = { kind: 'reasoning', text: 'hm' };
const TEXT: AnswerPart = { kind: 'text', text: 'a' };

test('thinking lasts from the question, or from what came before it, to what comes after', () => {
  const time = new ThinkingTime(1_000);
  time.note(true, 3_000);
  time.note(true, 4_000);
  time.note(false, 6_500);
  time.note(false, 7_000);
  time.note(true, 7_900);
  time.note(false, 8_000);
  expect(time.writeTo([THOUGHT, TEXT, THOUGHT, TEXT])).toEqual([
    { ...THOUGHT, ms: 5_500 },
    TEXT,
    { ...THOUGHT, ms: 1_000 },
    TEXT,
  ]);
});

test('of thinking that was cut off its last piece tells the time', () => {
  const time = new ThinkingTime(0);
  time.note(true, 500);
  time.note(true, 900);
  expect(time.writeTo([THOUGHT])).toEqual([{ ...THOUGHT, ms: 900 }]);
});
