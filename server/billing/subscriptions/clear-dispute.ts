import { AppError } from '#server/errors.ts';
import { addClearedDispute, markWithheldDue } from '../state/account-store.ts';
import { lockAccount } from '../state/order-store.ts';
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
  record: (tx: Parameters<typeof lockAccount>[0]) => Promise<unknown>,
): Promise<void> {
  const { projection } = await readBilling(deps, userId);
  if (!projection.disputes.includes(paymentKey)) throw new AppError('not_found');
  await deps.database.sql.begin(async (tx) => {
    await lockAccount(tx, userId);
    await addClearedDispute(tx, userId, paymentKey);
    await record(tx);
    await markWithheldDue(tx, deps.clock.now());
  });
  await projectUser(deps, userId);
}
