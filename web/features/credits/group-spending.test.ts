import { expect, it } from 'vitest';
import { CHART_DAYS, groupSpending } from './group-spending.ts';

const NOON = new Date(2026, 10, 24, 12).getTime();
const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).getTime();

it('adds up what was spent between the reader’s own midnights, and shows days without any', () => {
  const days = groupSpending(
    {
      quarters: [
        { at: at(22, 23, 45), credits: 8 },
        { at: at(23, 0), credits: 15 },
        { at: at(23, 23, 45), credits: 10 },
        { at: at(24, 11, 30), credits: 20 },
      ],
    },
    NOON,
  );
  expect(days).toHaveLength(CHART_DAYS);
  expect(days.slice(-4).map(({ credits }) => credits)).toEqual([0, 8, 25, 20]);
  expect(days.at(-1)?.start).toBe(at(24, 0));
});

it('leaves out what was spent before the first day', () => {
  const days = groupSpending({ quarters: [{ at: at(24, 0) - 31 * 86_400_000, credits: 8 }] }, NOON);
  expect(days.every(({ credits }) => credits === 0)).toBe(true);
});
