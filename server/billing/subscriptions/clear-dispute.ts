import { AppError } from '#server/errors.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { addClearedDispute, lockWithheld, markWithheldDue } from '../state/account-store.ts';
import { type ProjectDeps, projectUser } from '../state/project-user.ts';
import { readBilling } from '../state/read-billing.ts';

/**
 * An operator says that a dispute is settled: it no longer blocks new checkouts, and what was paid meanwhile is granted. What it
 * took back stays taken. `record` notes it in the same transaction. Throws `not_found` when no such charge of the user is under dispute.
 */
export async function clearDispute(
  deps: ProjectDeps,
  userId: string,
  paymentKey: string,
  record: (tx: Executor) => Promise<unknown>,
): Promise<void> {
  const { projection } = await readBilling(deps, userId);
  if (!projection.disputes.includes(paymentKey)) throw new AppError('not_found');
  await deps.database.sql.begin(async (tx) => {
    const at = deps.clock.now();
    await lockWithheld(tx, userId);
    await addClearedDispute(tx, userId, paymentKey, at);
    await record(tx);
    await markWithheldDue(tx, at);
  });
  await projectUser(deps, userId);
}
