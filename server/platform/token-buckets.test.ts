import { describe, expect, it } from 'vitest';
import { TokenBuckets } from './token-buckets.ts';

function clocked(most?: number) {
  const clock = { ms: 0 };
  return { clock, buckets: new TokenBuckets(() => clock.ms, most) };
}
const taken = (buckets: TokenBuckets, key: string, perMinute: number, times: number) =>
  Array.from({ length: times }, () => buckets.take(key, perMinute)).filter((wait) => wait === 0).length;

describe('a token bucket', () => {
  it('gives a minute’s worth at once, then as much again over the next minute', () => {
    const { clock, buckets } = clocked();
    expect(taken(buckets, 'a', 60, 100)).toBe(60);
    clock.ms += 10_000;
    expect(taken(buckets, 'a', 60, 100)).toBe(10);
    clock.ms += 3_600_000;
    expect(taken(buckets, 'a', 60, 100)).toBe(60);
  });

  it('says how long to wait, and is free when that time is over', () => {
    const { clock, buckets } = clocked();
    expect(buckets.take('a', 6)).toBe(0);
    taken(buckets, 'a', 6, 5);
    const wait = buckets.take('a', 6);
    expect(wait).toBe(10);
    clock.ms += (wait - 1) * 1000;
    expect(buckets.take('a', 6)).toBe(1);
    clock.ms += 1000;
    expect(buckets.take('a', 6)).toBe(0);
  });

  it('of one key is untouched by others', () => {
    const { buckets } = clocked();
    expect(taken(buckets, 'a', 3, 10)).toBe(3);
    expect(taken(buckets, 'b', 3, 10)).toBe(3);
  });

  it('is kept for a bounded number of keys, those used last', () => {
    const { buckets } = clocked(100);
    taken(buckets, 'kept', 2, 2);
    for (let n = 0; n < 99; n += 1) buckets.take(`other ${n}`, 2);
    expect(buckets.take('kept', 2)).toBeGreaterThan(0);
    for (let n = 0; n < 10_000; n += 1) buckets.take(`more ${n}`, 2);
    expect(buckets.size).toBe(100);
    expect(buckets.take('kept', 2)).toBe(0);
  });

  it('that is full again is not kept', () => {
    const { clock, buckets } = clocked();
    for (let n = 0; n < 100; n += 1) buckets.take(`gone ${n}`, 60);
    clock.ms += 30_000;
    buckets.take('kept', 60);
    clock.ms += 30_000;
    buckets.take('new', 60);
    expect(buckets.size).toBe(2);
    expect(taken(buckets, 'kept', 60, 100)).toBe(60);
  });
});
