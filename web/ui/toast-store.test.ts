import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { currentToasts, holdToast, releaseToast, showNotice } from './toast-store.ts';

const TIME = 10_000;
const texts = () => currentToasts().map(({ text }) => text);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});

test('a toast goes after its time, and not while it is held', () => {
  showNotice('Archived.');
  showNotice('Deleted.');
  const [, deleted] = currentToasts();
  if (!deleted) throw new Error('both are shown');
  holdToast(deleted.id);
  vi.advanceTimersByTime(TIME);
  expect(texts()).toEqual(['Deleted.']);
  releaseToast(deleted.id);
  vi.advanceTimersByTime(TIME - 1);
  expect(texts()).toEqual(['Deleted.']);
  vi.advanceTimersByTime(1);
  expect(texts()).toEqual([]);
});
