import { describe, expect, it } from 'vitest';
import { nextPoll } from './reconcile-rules.ts';

const NOW = new Date('2028-02-29T12:00:00Z');
const MINUTE = 60_000;
const aged = (minutes: number) => ({ createdAt: new Date(NOW.getTime() - minutes * MINUTE) });
const seconds = (...args: [Parameters<typeof nextPoll>[0], boolean, number]) => {
  const at = nextPoll(...args, NOW);
  return at && (at.getTime() - NOW.getTime()) / 1_000;
};

describe('the providers are asked again', () => {
  it('soon about a fresh order, ever more rarely about an older one, and never about a very old one', () => {
    const ages = [0, 1, 2, 29, 30, 119, 120, 2 * 1440 - 1, 2 * 1440, 14 * 1440 - 1, 14 * 1440];
    expect(ages.map((age) => seconds([aged(age)], false, 0))).toEqual([
      4,
      4,
      30,
      30,
      120,
      120,
      900,
      900,
      21_600,
      21_600,
      null,
    ]);
  });

  it('as the most urgent matter wants it', () => {
    expect(seconds([aged(200), aged(1)], true, 20)).toBe(4);
    expect(seconds([aged(200)], true, 0)).toBe(15);
  });

  it('about a question twice as late each time, half an hour at most, and not at all when nothing is open', () => {
    expect([0, 1, 2, 3, 50].map((times) => seconds([], true, times))).toEqual([15, 30, 60, 120, 1_800]);
    expect(seconds([], false, 3)).toBeNull();
  });
});
