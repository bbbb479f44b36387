import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { clearRateLimit, type RateLimit, takeRateLimit } from '#server/platform/rate-limit.ts';

/** Three of a million codes are right at any time: a day of guessing hits one with a chance of 1 in 6,000. */
const PER_QUARTER: RateLimit = { max: 10, windowSeconds: 900 };
const PER_DAY: RateLimit = { max: 50, windowSeconds: 86_400 };

type LimitDeps = Pick<Deps, 'database' | 'clock'>;

/** Counts a code typed for an account, wherever and whatever for. Throws `rate_limited`. */
export async function limitCodes({ database, clock }: LimitDeps, userId: string): Promise<void> {
  const at = clock.databaseTime();
  const waits = [
    await takeRateLimit(database.sql, `code:${userId}`, PER_QUARTER, at),
    await takeRateLimit(database.sql, `code-day:${userId}`, PER_DAY, at),
  ];
  const seconds = Math.max(...waits);
  if (seconds > 0) throw new AppError('rate_limited', { seconds });
}

/** Forgets the quarter of an hour after a right code; the day stays counted. */
export async function forgetCodes({ database }: Pick<LimitDeps, 'database'>, userId: string): Promise<void> {
  await clearRateLimit(database.sql, `code:${userId}`);
}
