import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ReplayQueue } from './replay-queue.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a few steps are taken at a time, and a user with one does not wait behind all of another', () => {
  const queue = new ReplayQueue();
  const taken: string[] = [];
  for (let n = 0; n < 10; n += 1) queue.wait('many', () => taken.push(`many ${n}`));
  queue.wait('one', () => taken.push('one'));
  vi.advanceTimersByTime(5);
  expect(taken).toEqual(['many 0', 'one', 'many 1', 'many 2', 'many 3', 'many 4', 'many 5', 'many 6']);
  vi.runAllTimers();
  expect(taken).toHaveLength(11);
});

test('a step that was taken back is never called', () => {
  const queue = new ReplayQueue();
  const step = vi.fn();
  queue.wait('user', step);
  queue.takeBack('user', step);
  vi.runAllTimers();
  expect(step).not.toHaveBeenCalled();
});
