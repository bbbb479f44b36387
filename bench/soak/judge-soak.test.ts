import { expect, it } from 'vitest';
import { judgeGrowth, type Sample } from './judge-soak.ts';

/** Two minutes, with caches that fill up in the first thirty seconds and a wavering load. */
function soak(leak: Partial<Record<'heapMb' | 'residentMb' | 'descriptors', number>>): Sample[] {
  return Array.from({ length: 41 }, (_, index) => {
    const second = index * 3;
    const filled = Math.min(second, 30) / 3;
    const grown = (perMinute = 0) => (second / 60) * perMinute;
    return {
      second,
      heapMb: 40 + filled + (index % 3) * 0.2 + grown(leak.heapMb),
      residentMb: 130 + filled + (index % 5) * 2 + grown(leak.residentMb),
      descriptors: 60 + (index % 7) + Math.floor(grown(leak.descriptors)),
    };
  });
}

const grows = (samples: Sample[]) =>
  judgeGrowth(samples)
    .filter(({ growth, limit }) => growth > limit)
    .map(({ measure }) => measure);

it('a load that wavers, and caches that fill up first, are no growth', () => {
  expect(grows(soak({}))).toEqual([]);
});

it('a single peak is no growth', () => {
  const samples = soak({});
  for (const sample of samples.slice(-3)) sample.residentMb += 100;
  expect(grows(samples)).toEqual([]);
});

it.each([
  ['heapMb', 3],
  ['residentMb', 15],
  ['descriptors', 20],
] as const)('%s that rises by %d a minute is growth', (measure, perMinute) => {
  expect(grows(soak({ [measure]: perMinute }))).toEqual([measure]);
});

it('too few samples are no proof of anything', () => {
  expect(() => judgeGrowth(soak({}).slice(0, 9))).toThrow('too few');
});
