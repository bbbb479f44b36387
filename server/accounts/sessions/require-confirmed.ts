import { MINUTE_MS } from '#contract/time.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Executor } from '#server/platform/database/database.ts';
import type { Actor } from './authenticate.ts';
import { isConfirmed } from './confirmation-store.ts';

/** How long a proof is fresh. Signing in is one. */
const FRESH_MS = 10 * MINUTE_MS;

/**
 * Asks for a fresh proof that the caller is the user, before something that a stranger at an unlocked screen must not do. Throws
 * `confirmation_required`; `POST /api/me/confirm` gives the proof.
 */
export async function requireConfirmed(
  { database, clock }: Pick<Deps, 'clock'> & { database: { sql: Executor } },
  { sessionId }: Actor,
): Promise<void> {
  if (!(await isConfirmed(database.sql, sessionId, FRESH_MS, clock.databaseTime())))
    throw new AppError('confirmation_required');
}
