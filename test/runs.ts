/** Whether this is `npm run test:long`: ten times the cases, PostgreSQL 15, every journey in both languages. */
export const IS_LONG = process.env.TEST_LONG === '1';

/** How many times the usual cases; `TEST_TIMES` sets it, also to less than one. */
const times = Number(process.env.TEST_TIMES ?? (IS_LONG ? 10 : 1));

/** How many cases of a property are tried, given how many `npm test` tries; `long`: how many `npm run test:long` does, where not ten times as many. */
export function runs(usual: number, long = usual * 10): number {
  return Math.ceil(IS_LONG ? (long / 10) * times : usual * times);
}

/** The milliseconds that a test may take which tries so many cases, given what they may take in `npm test`. */
export function timeoutFor(usual: number): number {
  return usual * Math.max(1, times);
}
