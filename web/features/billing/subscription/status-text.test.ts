import { expect, it } from 'vitest';
import { daysLeft } from './status-text.ts';

it('rounds up to whole days and never falls below none', () => {
  const day = 86_400_000;
  expect([-day, 0, 1, day, day + 1, 30 * day].map((ms) => daysLeft(1000 + ms, 1000))).toEqual([
    0, 0, 1, 1, 2, 30,
  ]);
});
