import type { Deps } from '#server/deps.ts';
import { sessionLife } from './live-sessions.ts';
import { deleteExpiredSteps } from './step-store.ts';
import { deleteExpiredProofs } from './store.ts';

/** Deletes sessions and one-time proofs that are over; nobody could use them any more. */
export async function pruneSessions({
  config,
  database,
  clock,
}: Pick<Deps, 'config' | 'database' | 'clock'>): Promise<void> {
  await deleteExpiredProofs(database.sql, sessionLife(config), clock.databaseTime());
  await deleteExpiredSteps(database.sql, clock.now());
}
