import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { type AdminUser, insertAudit } from '../billing-records/store.ts';
import { deleteOperator, insertOperator } from './operator-store.ts';

export interface OperatorChange {
  user: AdminUser;
  isOperator: boolean;
  reason: string;
  actor: string;
}

/**
 * Lets a user use the console, or no longer, with a note in the same transaction. Throws `not_found` for an account that is leaving,
 * `email_not_verified` for one whose opener may be a stranger, `conflict` when nothing would change.
 */
export async function changeOperator(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  { user, isOperator, reason, actor }: OperatorChange,
): Promise<void> {
  const at = clock.now();
  if (isOperator && user.leavingAt !== null) throw new AppError('not_found');
  if (isOperator && !user.emailVerified) throw new AppError('email_not_verified');
  await database.sql.begin(async (tx) => {
    const changed = isOperator ? await insertOperator(tx, user.id, at) : await deleteOperator(tx, user.id);
    if (!changed) throw new AppError('conflict');
    await insertAudit(tx, {
      actId: newId(),
      operatorId: null,
      actor,
      act: isOperator ? 'make_operator' : 'remove_operator',
      userId: user.id,
      subject: user.email,
      reason,
      details: {},
      at,
    });
  });
}
