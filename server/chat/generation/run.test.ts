import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { MessageRow } from '../message-store/store.ts';
import { createCoalescer, mergeMs } from './coalescer.ts';
import { MAX_ANSWER, Run } from './run.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** One of so many runs. */
function startRun(running = 1) {
  const coalescer = createCoalescer(() => running);
  const run = new Run({ id: 'm' } as MessageRow, { onWaiting: coalescer.add, onEvent: () => {} });
  const events = () =>
    run.feed.events.map(({ type, data }, index) => {
      const { text, code } = JSON.parse(data);
      return [index + 1, type, text ?? code];
    });
  return { run, events };
}

test('the first piece is an event at once, later ones wait to be merged', () => {
  const { run, events } = startRun();
  for (const piece of ['Pa', 'ris', ' is', ' it']) run.add('text', piece);
  expect(events()).toEqual([[1, 'text', 'Pa']]);
  vi.advanceTimersByTime(mergeMs(1) + 5);
  expect(events()).toEqual([
    [1, 'text', 'Pa'],
    [2, 'text', 'ris is it'],
  ]);
});

test.each([
  ['alone', 1, 8],
  ['among 60', 60, 8],
  ['among 240', 240, 32],
  ['among 1,000', 1_000, 50],
])(
  'text of an answer %s waits for a time that grows with the number of running answers',
  (_, running, waitMs) => {
    const { run, events } = startRun(running);
    for (const piece of ['Pa', 'ris']) run.add('text', piece);
    vi.advanceTimersByTime(waitMs - 1);
    expect(events()).toHaveLength(1);
    vi.advanceTimersByTime(1 + waitMs / 4);
    expect(events()).toHaveLength(2);
  },
);

test('pieces that come together after a pause are one event, which waits for nothing more', () => {
  const { run, events } = startRun();
  run.add('text', 'one');
  vi.advanceTimersByTime(mergeMs(1));
  for (const piece of [' two', ' three']) run.add('text', piece);
  vi.advanceTimersByTime(0);
  expect(events()).toEqual([
    [1, 'text', 'one'],
    [2, 'text', ' two three'],
  ]);
});

test('thinking and answer are never merged, and the first of the answer does not wait', () => {
  const { run, events } = startRun();
  run.add('reasoning', 'hm');
  run.add('reasoning', ', so');
  run.add('text', 'Paris');
  run.notice('upstream_switched');
  expect(events()).toEqual([
    [1, 'reasoning', 'hm, so'],
    [2, 'text', 'Paris'],
    [3, 'notice', 'upstream_switched'],
  ]);
  expect(run.text).toBe('Paris');
});

test('a character that was split between two pieces stays whole', () => {
  const { run, events } = startRun();
  const [high = '', low = ''] = '🌊'.split('');
  run.add('text', `sea ${high}`);
  run.add('text', `${low}!`);
  vi.advanceTimersByTime(mergeMs(1) + 5);
  expect(events()).toEqual([
    [1, 'text', 'sea '],
    [2, 'text', '🌊!'],
  ]);
  expect(run.text).toBe('sea 🌊!');
});

test('NUL and lone surrogates never reach an event', () => {
  const { run, events } = startRun();
  run.add('text', 'a\0b\ud800c');
  run.add('text', 'd\ud83d');
  run.flush(true);
  expect(events().map(([, , text]) => text)).toEqual(['ab\ufffdc', 'd\ufffd']);
  expect(run.text).toBe('ab\ufffdcd\ufffd');
});

test('NUL and lone surrogates never reach a part', () => {
  const { run } = startRun();
  const step = { kind: 'step', n: 1, action: 'click', args: '{}', fileId: null, at: 1, ms: 1 } as const;
  run.addPart({ ...step, intent: 'a\0b', url: 'http://shop.test/\ud800' });
  expect(run.parts).toEqual([{ ...step, intent: 'ab', url: 'http://shop.test/\ufffd' }]);
  expect(run.unloggedEvents()).not.toMatch(/\\u/);
});

test('text that comes after a stop is not part of the answer', () => {
  const { run } = startRun();
  run.add('text', 'Paris');
  run.stop('stopped');
  run.stop('interrupted');
  run.add('text', ' is');
  run.flush(true);
  expect([run.text, run.cut, run.signal.aborted]).toEqual(['Paris', 'stopped', true]);
});

test('an endless answer is cut off', () => {
  const { run } = startRun();
  const piece = 'x'.repeat(100_000);
  for (let left = MAX_ANSWER / piece.length; left >= 0; left -= 1) run.add('text', piece);
  expect([run.cut, run.signal.aborted]).toEqual(['too_long', true]);
});

test('what the log has is not written again', () => {
  const { run } = startRun();
  for (const piece of ['a', 'b', 'c']) {
    run.add('text', piece);
    run.flush(true);
  }
  run.logged(2);
  expect([run.firstUnlogged, run.unloggedEvents()]).toEqual([3, '[["text",{"text":"c"}]]']);
  run.logged(3);
  expect([run.firstUnlogged, run.unloggedEvents()]).toEqual([4, null]);
});
