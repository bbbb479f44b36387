import type { MarginLine } from '#contract/admin/margin.ts';
import { DAY_MS, dayOf } from '#contract/time.ts';

/** How many days are shown where none are asked for. */
const DAYS = 30;

/** The sums of one line of the margin. */
export type Sums = Omit<MarginLine, 'percent' | 'isBelowCost'>;

/** The first and the last day, UTC, as `YYYY-MM-DD`. */
export interface Days {
  from: string;
  to: string;
}

/** The days that are asked for; without a last one up to today, without a first one `count` of them. */
export function daysOf(
  { from = null, to = null, count = DAYS }: { from?: string | null; to?: string | null; count?: number },
  now: Date,
): Days {
  const last = to ?? dayOf(now);
  return {
    from: from ?? dayOf(Date.parse(last) - (count - 1) * DAY_MS),
    to: last,
  };
}

/** How many days these are, both ends included; none or less: the last one is before the first. */
export function countDays({ from, to }: Days): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
}

/** The first moment of these days, and the first one after them. */
export function periodOf({ from, to }: Days): { from: Date; to: Date } {
  return { from: new Date(from), to: new Date(Date.parse(to) + DAY_MS) };
}

/**
 * Sums with what follows from them. What is free by design was not sold below cost: answers to users without a plan, titles and
 * follow-ups.
 */
export function judgeLine(of: 'all' | 'model' | 'plan' | 'feature', sums: Sums): MarginLine {
  const { revenue, margin, answers, name } = sums;
  const isSold = answers > 0 && !(of === 'plan' && name === 'free');
  return {
    ...sums,
    percent: revenue > 0 ? Math.round((margin / revenue) * 1_000) / 10 : null,
    isBelowCost: isSold && margin < 0,
  };
}

/** What sold below cost first, the largest loss before all others; the rest as it was. */
export function lossesFirst(lines: readonly MarginLine[]): MarginLine[] {
  const rank = ({ isBelowCost, margin }: MarginLine) => (isBelowCost ? margin : 0);
  return lines.toSorted((one, other) => rank(one) - rank(other));
}
