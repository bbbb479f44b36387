import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { networkOf } from '#server/platform/client-ip.ts';
import { takeRateLimit } from '#server/platform/database/rate-limit.ts';
import { ATTEMPT_KEYS } from './attempt-key-rules.ts';

/** Counts a sign-up from an IP address. Throws `rate_limited`. */
export async function limitSignUps(
  { config, database, clock }: Pick<Deps, 'config' | 'database' | 'clock'>,
  ip: string,
): Promise<void> {
  const limit = { max: config.limits.signUpsPerHour, windowSeconds: 3600 };
  const key = ATTEMPT_KEYS.signUpFrom(networkOf(ip));
  const seconds = await takeRateLimit(database.sql, key, limit, clock.databaseTime());
  if (seconds > 0) throw new AppError('rate_limited', { seconds });
}
