import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { takeRateLimit } from '#server/platform/database/rate-limit.ts';

const CALLS = { max: 40, windowSeconds: 600 };

/** Counts a request of the user for which a payment provider is called. Throws `rate_limited`. */
export async function limitProviderCalls(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  userId: string,
): Promise<void> {
  const seconds = await takeRateLimit(database.sql, `billing:${userId}`, CALLS, clock.databaseTime());
  if (seconds > 0) throw new AppError('rate_limited', { seconds });
}
