import type { Act, ActRequest } from '#contract/admin/acts.ts';
import type { Deps } from '#server/deps.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { insertAudit } from '../billing-records/store.ts';
import type { Operator } from '../operators/require-operator.ts';
import { findConcerned } from './act-store.ts';

/** Notes that an operator proposed an act or refused it, in the transaction that does so. The id of the act stays free for its own line. */
export async function recordProposal(
  tx: Executor,
  { clock }: Pick<Deps, 'clock'>,
  operator: Operator,
  what: 'propose' | 'refuse',
  { id, act, reason }: ActRequest,
): Promise<void> {
  const concerned = await findConcerned(tx, act);
  await insertAudit(tx, {
    actId: null,
    operatorId: operator.userId,
    actor: operator.email,
    act: what,
    userId: concerned?.userId ?? null,
    subject: subjectOf(act) ?? concerned?.email ?? null,
    reason,
    details: { act, actId: id },
    at: clock.now(),
  });
}

/** What else than a user an act is about. */
function subjectOf(act: Act): string | null {
  if ('paymentKey' in act) return act.paymentKey;
  if ('orderId' in act) return act.orderId;
  if ('inboxId' in act) return act.inboxId;
  return 'model' in act ? act.model : null;
}
