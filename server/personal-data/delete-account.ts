import { setTimeout as sleep } from 'node:timers/promises';
import type { DeletionState } from '#contract/personal-data.ts';
import type { Actor } from '#server/accounts/sessions/authenticate.ts';
import { lockOwnAccount } from '#server/accounts/sessions/change-credential.ts';
import { publishSignedOut } from '#server/accounts/sessions/live-sessions.ts';
import { requireConfirmed } from '#server/accounts/sessions/require-confirmed.ts';
import { closeCreditAccount } from '#server/credits/close-credit-account.ts';
import { AppError } from '#server/errors.ts';
import {
  endSessionsAndKeys,
  findRecipient,
  insertDeletion,
  isDeleted,
  markLeaving,
} from './deletion-queue-store.ts';
import { type DeletionDeps, LEASE_MS, runDeletion } from './run-deletion.ts';

/** How long the caller waits for the providers; the job goes on after that. */
const DELETION_TIMEOUT_MS = 10_000;

/**
 * Begins the deletion of the caller's account, for good: from now on the account cannot sign in, send or buy, and every session
 * and stream ends. `waiting`: a payment provider has not confirmed yet that it will not charge again; everything else is deleted
 * as soon as it has. Throws `unauthenticated` where the session ended meanwhile, as with a reset by the owner,
 * `confirmation_required`, `confirmation_mismatch` when the typed address is another.
 */
export async function deleteAccount(
  deps: DeletionDeps,
  actor: Actor,
  typed: { email: string },
): Promise<{ state: DeletionState }> {
  await requireConfirmed(deps, actor);
  const { userId } = actor;
  const { sql } = deps.database;
  const recipient = await findRecipient(sql, userId);
  if (recipient?.email !== typed.email.trim().toLowerCase()) throw new AppError('confirmation_mismatch');
  const deletion = await sql.begin(async (tx) => {
    const at = deps.clock.now();
    await lockOwnAccount(tx, actor);
    await closeCreditAccount(tx, userId, deps.clock.databaseTime());
    await markLeaving(tx, userId, at);
    await endSessionsAndKeys(tx, userId, at);
    return insertDeletion(tx, userId, at, LEASE_MS);
  });
  publishSignedOut(deps.bus, userId, null);
  await Promise.race([runDeletion(deps, deletion), sleep(DELETION_TIMEOUT_MS, undefined, { ref: false })]);
  return { state: (await isDeleted(sql, userId)) ? 'deleted' : 'waiting' };
}
