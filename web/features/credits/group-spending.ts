import type { Spending } from '#contract/credits.ts';

/** So many days are shown, today the last. */
export const CHART_DAYS = 30;

export interface SpentDay {
  /** When it begins where the reader is, epoch milliseconds. */
  start: number;
  credits: number;
}

/** What was spent on each of the last days of the reader's own time zone, also those without a message. */
export function groupSpending({ quarters }: Pick<Spending, 'quarters'>, now: number): SpentDay[] {
  const days = Array.from({ length: CHART_DAYS }, (_, index) => {
    const day = new Date(now);
    day.setHours(0, 0, 0, 0);
    day.setDate(day.getDate() - (CHART_DAYS - 1 - index));
    return { start: day.getTime(), credits: 0 };
  });
  for (const { at, credits } of quarters) {
    const day = days.findLast(({ start }) => start <= at);
    if (day) day.credits += credits;
  }
  return days;
}
