import { expect, it } from 'vitest';
import { compareReadings } from './compare-readings.ts';

it('a counter that grew, over as many readings as asked', () => {
  const compare = compareReadings(2);
  expect([...compare([['a', 3]])]).toEqual([['a', 3]]);
  expect([...compare([['a', 3]])]).toEqual([['a', 3]]);
  const both = () =>
    compare([
      ['a', 4],
      ['b', 1],
    ]);
  const grown = [
    ['a', 1],
    ['b', 1],
  ];
  expect([...both()]).toEqual(grown);
  expect([...both()]).toEqual(grown);
  expect([...both()]).toEqual([]);
});
