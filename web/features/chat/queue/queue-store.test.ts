import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import {
  addQueued,
  advanceQueue,
  beginSendingQueued,
  deleteQueued,
  endSendingQueued,
  ON_WAY_MS,
} from './queue-store.ts';

const stored = new Map<string, string>();
/** Characters that there is room for. */
let room = Number.POSITIVE_INFINITY;

beforeEach(() => {
  stored.clear();
  room = Number.POSITIVE_INFINITY;
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (value.length > room) throw new DOMException('full', 'QuotaExceededError');
      stored.set(key, value);
    },
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const item = (id: string) => ({ id, content: `text of ${id}`, model: 'm', cost: 1, at: Date.now() });

test('a message that finds no room is refused, and none that waits is dropped for it', () => {
  for (let n = 0; n < 20; n += 1) expect(addQueued('u', `c${n}`, 'before', item(`m${n}`))).toBeNull();
  expect(addQueued('u', 'one more', 'before', item('late'))).toBe('queuesFull');
  for (let n = 20; n < 24; n += 1) expect(addQueued('u', 'c0', 'before', item(`m${n}`))).toBeNull();
  expect(addQueued('u', 'c0', 'before', item('sixth'))).toBe('queueFull');
  for (let n = 1; n < 20; n += 1) expect(deleteQueued('u', `c${n}`, `m${n}`)?.content).toBe(`text of m${n}`);
  advanceQueue('u', 'c0', 'm0');
  expect(deleteQueued('u', 'c0', 'm0')).toBeNull();
  expect(deleteQueued('u', 'c0', 'm20')?.id).toBe('m20');
});

test('a message that the browser cannot keep does not wait, and those that other tabs put there do', () => {
  addQueued('u', 'c', 'before', item('kept'));
  room = (stored.get('chat.queue.u')?.length ?? 0) + 10;
  expect(addQueued('u', 'c', 'before', item('too much'))).toBe('queueNotKept');
  expect(deleteQueued('u', 'c', 'too much')).toBeNull();
  room = Number.POSITIVE_INFINITY;
  stored.set('chat.queue.u', JSON.stringify({ d: { after: 'before', items: [item('of another tab')] } }));
  expect(addQueued('u', 'c', 'before', item('next'))).toBeNull();
  expect(deleteQueued('u', 'd', 'of another tab')?.id).toBe('of another tab');
});

test('a message that a tab is sending is not taken off, nor is one sent that was', () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  addQueued('v', 'c', 'before', item('m'));
  expect(beginSendingQueued('v', 'c', 'm')).toBe(true);
  expect(deleteQueued('v', 'c', 'm')).toBeNull();
  endSendingQueued('v', 'c', 'm');
  expect(deleteQueued('v', 'c', 'm')?.id).toBe('m');
  expect(beginSendingQueued('v', 'c', 'm')).toBe(false);
  addQueued('v', 'c', 'before', item('of a tab that was closed'));
  beginSendingQueued('v', 'c', 'of a tab that was closed');
  vi.advanceTimersByTime(ON_WAY_MS);
  expect(deleteQueued('v', 'c', 'of a tab that was closed')).not.toBeNull();
});
