import { expect, test } from 'vitest';
import type { Message } from '#contract/chat.ts';
import type { AnswerPart } from '#contract/message/parts.ts';
import { isUnderWay, type PlacedPart, viewEnded, viewLive } from './read-parts.ts';

const CODE = { kind: 'code', language: 'PYTHON', code: 'print(1)\n' } as const;
const OUTPUT = { kind: 'output', outcome: 'ok', text: '1\n' } as const;
const FILE = '019b1d3e-0000-7000-8000-000000000001';
const PLOT = { kind: 'image', fileId: FILE, width: 640, height: 480, alt: 'A [plot]' } as const;

function ended(parts: AnswerPart[], firstTextMs: number | null = null): Message {
  const response = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('');
  return { response, parts, firstTextMs } as Message;
}

test('code has with it what it printed, and a plot stands by itself', () => {
  const message = ended([
    { kind: 'text', text: 'Look: ' },
    CODE,
    OUTPUT,
    PLOT,
    { kind: 'text', text: 'Done.' },
  ]);
  const { stretches } = viewEnded(message);
  expect(stretches).toEqual([
    { kind: 'text', start: 0, text: 'Look: ' },
    { kind: 'part', part: CODE, outputs: [OUTPUT] },
    { kind: 'part', part: PLOT, outputs: [] },
    { kind: 'text', start: 6, text: 'Done.' },
  ]);
});

test('an answer looks the same while it is written and after a reload', () => {
  const text = '先算一下。结果是 1。';
  const parts: PlacedPart[] = [
    { part: CODE, at: 5 },
    { part: OUTPUT, at: 5 },
  ];
  const live = viewLive({ text, reasoning: '', parts, thoughtMs: null });
  const message = ended([
    { kind: 'text', text: text.slice(0, 5) },
    CODE,
    OUTPUT,
    { kind: 'text', text: text.slice(5) },
  ]);
  expect(live.stretches).toEqual(viewEnded(message).stretches);
});

test('code is under way until what it printed is here', () => {
  const at = (parts: PlacedPart[]) =>
    viewLive({ text: '', reasoning: '', parts, thoughtMs: null }).stretches.at(-1);
  expect(isUnderWay(at([{ part: CODE, at: 0 }]))).toBe(true);
  expect(
    isUnderWay(
      at([
        { part: CODE, at: 0 },
        { part: OUTPUT, at: 0 },
      ]),
    ),
  ).toBe(false);
  expect(isUnderWay(undefined)).toBe(false);
});

test('thoughts between which something came stand apart, and their times add up', () => {
  const message = ended([
    { kind: 'reasoning', text: 'First.', ms: 4_000 },
    CODE,
    { kind: 'reasoning', text: 'Then.', ms: 2_500 },
    { kind: 'text', text: 'So.' },
  ]);
  expect(viewEnded(message)).toMatchObject({ reasoning: 'First.\n\nThen.', thoughtMs: 6_500 });
});

test('how long it thought is the time to the first word where the server did not measure it', () => {
  expect(viewEnded(ended([{ kind: 'reasoning', text: 'Well.' }], 3_200)).thoughtMs).toBe(3_200);
});
