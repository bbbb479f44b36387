import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import {
  clearRateLimit,
  type RateLimit,
  takeRateLimits,
  withDay,
} from '#server/platform/database/rate-limit.ts';
import { ATTEMPT_KEYS } from '../abuse/attempt-key-rules.ts';
import { verifyPassword } from '../secrets/hash-password.ts';
import type { Actor } from '../sessions/authenticate.ts';
import { findPassword } from '../users/password-store.ts';

const PER_SESSION: RateLimit = { max: 10, windowSeconds: 600 };
const PER_SESSION_AND_DAY: RateLimit = { max: 50, windowSeconds: 86_400 };

/**
 * Makes sure that the person at a signed-in browser knows its password; tries count for this session alone. Throws
 * `invalid_credentials`, also for a user without a password, and `rate_limited`.
 */
export async function verifyOwnPassword(
  { config, database, clock }: Pick<Deps, 'config' | 'database' | 'clock'>,
  { userId, sessionId }: Actor,
  password: string,
): Promise<void> {
  const { sql } = database;
  const user = await findPassword(sql, userId);
  if (!user) throw new AppError('invalid_credentials');
  const key = ATTEMPT_KEYS.passwordOf(sessionId);
  const limits = withDay(key, PER_SESSION, PER_SESSION_AND_DAY);
  const seconds = await takeRateLimits(sql, limits, clock.databaseTime());
  if (seconds > 0) throw new AppError('rate_limited', { seconds });
  if (!(await verifyPassword(user.hash, password, config.hashing))) throw new AppError('invalid_credentials');
  await clearRateLimit(sql, key);
}
