import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { updateRevoked } from './key-store.ts';

/**
 * Ends a key for good, and with it what runs by it. Throws `not_found`, also for one that was revoked before.
 * @param stopRequests stops the running requests of a key, wherever they run
 */
export async function revokeKey(
  deps: Pick<Deps, 'database' | 'clock'>,
  userId: string,
  id: string,
  stopRequests: (userId: string, keyId: string) => Promise<void>,
): Promise<void> {
  const revoked = await updateRevoked(deps.database.sql, userId, id, deps.clock.databaseTime());
  if (!revoked) throw new AppError('not_found');
  await stopRequests(userId, id);
}
