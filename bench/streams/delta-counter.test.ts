import { expect, it } from 'vitest';
import { createDeltaCounter } from './delta-counter.ts';

it('markers are counted once, however the stream is cut', () => {
  const bytes = Buffer.from(
    'id: 1\nevent: text\ndata: 潮\n\nid: 2\nevent: text\ndata: event: text\n\n'.repeat(3),
  );
  for (let size = 1; size < bytes.length; size += 1) {
    const count = createDeltaCounter('event: text\n');
    let total = 0;
    for (let at = 0; at < bytes.length; at += size) total += count(bytes.subarray(at, at + size));
    expect(total).toBe(9);
  }
});

it('markers of one chunk are told together', () => {
  const count = createDeltaCounter('ab');
  expect([count(Buffer.from('abxab')), count(Buffer.from('xa')), count(Buffer.from('b'))]).toEqual([2, 0, 1]);
});
