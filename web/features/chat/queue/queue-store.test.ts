import { expect, test } from 'vitest';
import { addQueued, advanceQueue, deleteQueued } from './queue-store.ts';

const item = (id: string) => ({ id, content: `text of ${id}`, model: 'm', cost: 1, at: Date.now() });

test('a message that finds no room is refused, and none that waits is dropped for it', () => {
  for (let n = 0; n < 20; n += 1) expect(addQueued('u', `c${n}`, 'before', item(`m${n}`))).toBe(true);
  expect(addQueued('u', 'one more', 'before', item('late'))).toBe(false);
  for (let n = 20; n < 24; n += 1) expect(addQueued('u', 'c0', 'before', item(`m${n}`))).toBe(true);
  expect(addQueued('u', 'c0', 'before', item('sixth'))).toBe(false);
  for (let n = 1; n < 20; n += 1) expect(deleteQueued('u', `c${n}`, `m${n}`)?.content).toBe(`text of m${n}`);
  advanceQueue('u', 'c0', 'm0');
  expect(deleteQueued('u', 'c0', 'm0')).toBeNull();
  expect(deleteQueued('u', 'c0', 'm20')?.id).toBe('m20');
});
