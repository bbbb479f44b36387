import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { clearRateLimit, type RateLimit, takeRateLimits } from '#server/platform/rate-limit.ts';
import { verifyPassword } from './hash-password.ts';
import { findPassword } from './verification-store.ts';

const PER_GUESSER: RateLimit = { max: 10, windowSeconds: 600 };
const PER_GUESSER_AND_DAY: RateLimit = { max: 50, windowSeconds: 86_400 };

/** Whose password, and for whom tries count: the id of a session, or whoever opened a mailed link. */
export interface OwnPassword {
  userId: string;
  guesser: string;
}

/**
 * Makes sure that whoever sits at a signed-in browser, or has a mailed link, knows the password; tries count for them alone. Throws
 * `invalid_credentials`, also for somebody without a password, and `rate_limited`.
 */
export async function verifyOwnPassword(
  { config, database, clock }: Pick<Deps, 'config' | 'database' | 'clock'>,
  { userId, guesser }: OwnPassword,
  password: string,
): Promise<void> {
  const { sql } = database;
  const user = await findPassword(sql, userId);
  if (!user) throw new AppError('invalid_credentials');
  const key = `password:${guesser}`;
  const limits = [[key, PER_GUESSER] as const, [`${key}:day`, PER_GUESSER_AND_DAY] as const];
  const seconds = await takeRateLimits(sql, limits, clock.databaseTime());
  if (seconds > 0) throw new AppError('rate_limited', { seconds });
  if (!(await verifyPassword(user.hash, password, config.hashing))) throw new AppError('invalid_credentials');
  await clearRateLimit(sql, key);
}
