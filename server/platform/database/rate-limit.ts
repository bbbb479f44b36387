import { createHash } from 'node:crypto';
import { type Executor, momentOf } from './database.ts';

/** What a part of a key may have in characters; a longer one, as an address of 250, is kept as its hash. */
const MAX_PART = 100;

/**
 * How a key is kept: each part between colons that is long as its hash, so that no two keys share a row and a key's beginning stays
 * one. Works for a single part too.
 */
export function storedKey(key: string): string {
  return key
    .split(':')
    .map((part) => (part.length > MAX_PART ? createHash('sha256').update(part).digest('hex') : part))
    .join(':');
}

/** At most `max` times in a window of `windowSeconds`. */
export interface RateLimit {
  max: number;
  windowSeconds: number;
}

/**
 * Counts one more use of `key` (what and by whom) and says how many seconds to wait: 0 while it is within the limit. One
 * atomic statement, shared by all processes; the window begins with its first use. `at` as given by `clock.databaseTime()`.
 */
export async function takeRateLimit(
  sql: Executor,
  key: string,
  limit: RateLimit,
  at: Date | null,
): Promise<number> {
  const now = momentOf(sql, at);
  const isOver = sql`r.started_at <= ${now} - ${limit.windowSeconds} * interval '1 second'`;
  const [row] = await sql<{ count: number; wait: number }[]>`
    insert into rate_limits as r (key, count, started_at) values (${storedKey(key)}, 1, ${now})
    on conflict (key) do update set
      count = case when ${isOver} then 1 else least(r.count, 1000000) + 1 end,
      started_at = case when ${isOver} then ${now} else r.started_at end
    returning count, ceil(extract(epoch from started_at - ${now}) + ${limit.windowSeconds})::int as wait`;
  if (!row || row.count <= limit.max) return 0;
  return Math.max(1, row.wait);
}

/** A limit of a short window and one of a day for the same uses, counted under `key` and `key:day`. */
export function withDay(key: string, short: RateLimit, day: RateLimit) {
  return [[key, short] as const, [`${key}:day`, day] as const];
}

/** Counts one more use of each key; the seconds until every limit allows it, 0 while all do. */
export async function takeRateLimits(
  sql: Executor,
  limits: readonly (readonly [key: string, limit: RateLimit])[],
  at: Date | null,
): Promise<number> {
  let seconds = 0;
  for (const [key, limit] of limits) seconds = Math.max(seconds, await takeRateLimit(sql, key, limit, at));
  return seconds;
}

/** Forgets what was counted for `key`. */
export async function clearRateLimit(sql: Executor, key: string): Promise<void> {
  await sql`delete from rate_limits where key = ${storedKey(key)}`;
}

/** Forgets what was counted for `key`, and for every key that goes on with a colon. */
export async function clearRateLimits(sql: Executor, key: string): Promise<void> {
  const stored = storedKey(key);
  await sql`
    delete from rate_limits
     where key = ${stored} or (key >= ${`${stored}:`} and key < ${`${stored};`})`;
}

/** Deletes counts whose windows, a day at most, are over. */
export async function deleteOldRateLimits(sql: Executor, at: Date | null): Promise<void> {
  await sql`
    delete from rate_limits where started_at < ${momentOf(sql, at)} - interval '1 day'`;
}
