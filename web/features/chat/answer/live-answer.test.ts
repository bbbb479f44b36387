import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Message } from '#contract/chat.ts';
import { LiveAnswer } from './live-answer.ts';

/** Frames that are drawn when the test says so. */
function frames() {
  const waiting: (() => void)[] = [];
  return {
    schedule: (callback: () => void) => void waiting.push(callback),
    draw() {
      for (const callback of waiting.splice(0)) callback();
    },
  };
}

const text = (id: number, words: string) => ({
  id: String(id),
  event: 'text',
  data: JSON.stringify({ text: words }),
});

test('deltas are told together when they are drawn', () => {
  const { schedule, draw } = frames();
  const answer = new LiveAnswer('m', Date.now(), schedule);
  const listener = vi.fn();
  answer.subscribe(listener);
  for (const [place, word] of ['两', '种', '声音'].entries()) answer.receive(text(place + 1, word), () => {});
  expect(answer.snapshot().text).toBe('');
  draw();
  expect(listener).toHaveBeenCalledTimes(1);
  expect(answer.snapshot().text).toBe('两种声音');
});

describe('in a browser', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    vi.stubGlobal('requestAnimationFrame', (callback: (now: number) => void) =>
      setTimeout(() => callback(performance.now()), 1_000 / 60),
    );
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  test('the first word is drawn with the next frame, what follows at most 25 times a second', () => {
    const answer = new LiveAnswer('m', Date.now());
    const listener = vi.fn();
    answer.subscribe(listener);
    answer.receive(text(1, 'a'), () => {});
    vi.advanceTimersByTime(17);
    expect(answer.snapshot().text).toBe('a');
    for (let id = 2; id <= 100; id += 1) {
      answer.receive(text(id, 'b'), () => {});
      vi.advanceTimersByTime(10);
    }
    expect(listener.mock.calls.length).toBeGreaterThanOrEqual(15);
    expect(listener.mock.calls.length).toBeLessThanOrEqual(26);
    vi.advanceTimersByTime(60);
    expect(answer.snapshot().text).toHaveLength(100);
  });
});

test('an event that came before is dropped', () => {
  const { schedule, draw } = frames();
  const answer = new LiveAnswer('m', Date.now(), schedule);
  for (const id of [1, 2, 2, 1]) answer.receive(text(id, String(id)), () => {});
  draw();
  expect(answer.snapshot().text).toBe('12');
});

test('a gap asks for a reconnection and keeps nothing of what follows it', () => {
  const { schedule, draw } = frames();
  const answer = new LiveAnswer('m', Date.now(), schedule);
  answer.receive(text(1, 'a'), () => {});
  expect(answer.receive(text(3, 'c'), () => {})).toBe('reconnect');
  draw();
  expect(answer.snapshot().text).toBe('a');
});

test('the end hands over the message as the server keeps it, whatever its number', () => {
  const answer = new LiveAnswer('m', Date.now(), () => {});
  const onEnd = vi.fn();
  const message = { id: 'm', status: 'completed', response: '完' } as Message;
  const end = { id: '2', event: 'end', data: JSON.stringify({ message }) };
  for (const id of [1, 2, 3]) answer.receive(text(id, 'x'), onEnd);
  expect(answer.receive(end, onEnd)).toBe('done');
  expect(onEnd).toHaveBeenCalledWith(message);
});

test('notices are kept and reasoning is not shown as the answer', () => {
  const { schedule, draw } = frames();
  const answer = new LiveAnswer('m', Date.now(), schedule);
  answer.receive({ id: '1', event: 'notice', data: '{"code":"context_trimmed"}' }, () => {});
  answer.receive({ id: '2', event: 'reasoning', data: '{"text":"…"}' }, () => {});
  answer.receive(text(3, '答'), () => {});
  draw();
  expect(answer.snapshot()).toMatchObject({ text: '答', notices: ['context_trimmed'] });
});

const thought = (id: number, words: string) => ({ ...text(id, words), event: 'reasoning' });

test('how long it thought is told with its first word, and not where that was over before', () => {
  vi.useFakeTimers({ now: 0 });
  const { schedule, draw } = frames();
  const watched = new LiveAnswer('m', Date.now(), schedule);
  vi.setSystemTime(1_000);
  watched.receive(thought(1, 'Hm.'), () => {});
  vi.setSystemTime(9_000);
  watched.receive(text(2, 'So'), () => {});
  const cameBack = new LiveAnswer('o', 0, schedule);
  cameBack.receive(thought(1, 'Hm.'), () => {});
  vi.setSystemTime(12_000);
  cameBack.receive(text(2, 'So'), () => {});
  const late = new LiveAnswer('n', 0, schedule);
  late.receive(thought(1, 'Hm.'), () => {});
  late.receive(text(2, 'So'), () => {});
  draw();
  vi.useRealTimers();
  expect(watched.snapshot()).toMatchObject({ reasoning: 'Hm.', text: 'So', thoughtMs: 9_000 });
  expect(cameBack.snapshot().thoughtMs).toBe(12_000);
  expect(late.snapshot().thoughtMs).toBeNull();
});
