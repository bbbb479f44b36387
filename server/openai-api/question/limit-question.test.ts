import { expect, test } from 'vitest';
import type { Turn } from '#server/chat/upstream/transport/upstream.ts';
import { limitKept, limitQuestion } from './limit-question.ts';

/** A model's turn of which so many ideographs are kept: a token each. */
const turn = (tokens: number): Turn => ({
  ...{ role: 'model', parts: [{ kind: 'text', text: 'Told.' }] },
  kept: { dialect: 'gemini', model: 'm', lines: ['字'.repeat(tokens)] },
});
const said: Turn = { role: 'user', parts: [{ kind: 'text', text: 'Go on' }] };
const keptOf = (turns: readonly Turn[], room: number) => limitKept(turns, room).map(({ kept }) => !!kept);

test('what is kept of turns goes as far as there is room for it, the newest first', () => {
  const turns = [turn(1_000), said, turn(1_000), said, turn(1_000)];
  expect(keptOf(turns, 4_000)).toEqual([true, false, true, false, true]);
  expect(keptOf(turns, 2_200)).toEqual([false, false, true, false, true]);
  expect(keptOf(turns, 500)).toEqual([false, false, false, false, false]);
  expect(limitKept(turns, 0).map(({ parts }) => parts)).toEqual(turns.map(({ parts }) => parts));
});

test('a short turn behind one that does not fit goes as it was told too', () => {
  expect(keptOf([turn(10), turn(5_000), turn(10)], 1_000)).toEqual([false, false, true]);
});

test.each([
  ['a', 2_097_152, 629_146],
  ['字', 200_000, 200_004],
  ['བ', 100_000, 300_004],
  ['字', 2_000_000, 2_000_000],
])('of %j, %d times, the tokens are told, not the length', (character, times, tokens) => {
  const turns: Turn[] = [{ role: 'user', parts: [{ kind: 'text', text: character.repeat(times) }] }];
  const limit = () => limitQuestion({ turns } as Parameters<typeof limitQuestion>[0], 128_000);
  expect(limit).toThrow(expect.objectContaining({ params: { tokens, limit: 128_000 } }));
});
