import type { Deps } from '#server/deps.ts';
import { deleteExpiredSteps } from './step-store.ts';
import { deleteExpiredProofs } from './store.ts';

/** Deletes sessions and one-time proofs that are over; nobody could use them any more. */
export async function pruneSessions({ database, clock }: Pick<Deps, 'database' | 'clock'>): Promise<void> {
  await deleteExpiredProofs(database.sql, clock.databaseTime());
  await deleteExpiredSteps(database.sql, clock.now());
}
