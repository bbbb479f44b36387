import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { takeRateLimit } from '#server/platform/database/rate-limit.ts';

const ACTS = { max: 40, windowSeconds: 600 };

/** Counts an act of the user that has a payment provider asked. Throws `rate_limited`. */
export async function limitActs(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  userId: string,
): Promise<void> {
  const seconds = await takeRateLimit(database.sql, `billing:${userId}`, ACTS, clock.databaseTime());
  if (seconds > 0) throw new AppError('rate_limited', { seconds });
}
