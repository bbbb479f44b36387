/** Whether this is `npm run test:long`: five times the cases, PostgreSQL 15, every journey in both languages. */
export const IS_LONG = process.env.TEST_LONG === '1';

/** Whether every test that has no database of its own making reaches it through a PgBouncer. */
export const IS_POOLED = process.env.TEST_PGBOUNCER === '1';

/** Five times the cases are one to two hours of two cores, as fast as these are. */
const LONG_TIMES = 5;

/** How many times the usual cases; `TEST_TIMES` sets it, also to less than one. */
const times = Number(process.env.TEST_TIMES ?? (IS_LONG ? LONG_TIMES : 1));

/**
 * How many cases of a property are tried, given how many `npm test` tries; `long`: how many `npm run test:long` does, where not five
 * times as many.
 */
export function runs(usual: number, long = usual * LONG_TIMES): number {
  return Math.ceil(IS_LONG ? (long / LONG_TIMES) * times : usual * times);
}

/** The versions on which the ledger and its neighbours are tried: the newest, and the oldest too in `npm run test:long`. */
export const POSTGRES_VERSIONS = IS_LONG ? ([18, 15] as const) : ([18] as const);

/**
 * Of every `among` that follow each other those whose turn it is, and all in `npm run test:long`: for what several tests try in
 * their own ways. The turns shift with each round, so that what comes in pairs is not divided by them.
 */
export function inTurn<T>(all: readonly T[], turn: number, among: number): readonly T[] {
  return IS_LONG ? all : all.filter((_, index) => (index + Math.floor(index / among)) % among === turn);
}

/** The milliseconds that a test may take which tries so many cases, given what they may take in `npm test`. */
export function timeoutFor(usual: number): number {
  return usual * Math.max(1, times);
}

/**
 * Where random cases begin: `npm test` tries the same ones every time, `npm run test:long` others each time; `PROPERTY_SEED` sets it.
 * A failed property prints it.
 */
export const SEED = Number(process.env.PROPERTY_SEED ?? (IS_LONG ? Date.now() % 2_147_483_647 : 1));
