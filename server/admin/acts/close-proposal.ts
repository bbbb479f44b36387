import type { Act, ActOutcome } from '#contract/admin/acts.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Operator } from '../operators/require-operator.ts';
import { decide, findProposal, lockAct, reopen } from './act-store.ts';
import { readProposer } from './read-proposer.ts';
import { recordProposal } from './record-proposal.ts';
import { runAct } from './run-act.ts';

/**
 * Agrees to what another operator proposed, which carries it out, or refuses it; the same again changes nothing more. An agreement that
 * was cut off can be refused. Throws `not_found`, `own_proposal`, `proposal_decided`, and as `runAct`: then it waits again.
 */
export async function closeProposal(
  deps: Deps,
  operator: Operator,
  id: string,
  decision: 'agree' | 'refuse',
): Promise<ActOutcome> {
  const { sql } = deps.database;
  const proposal = await findProposal(sql, id);
  if (!proposal) throw new AppError('not_found');
  const { act, reason, operatorId } = proposal;
  if (operatorId === operator.userId || isAboutOneself(act, operator)) throw new AppError('own_proposal');
  const isDecided = await sql.begin(async (tx) => {
    await lockAct(tx, id);
    const wasOpen = await decide(tx, { id, decision, decidedBy: operator.userId, at: deps.clock.now() });
    if (wasOpen && decision === 'refuse') await recordProposal(tx, deps, operator, decision, proposal);
    return wasOpen;
  });
  if (!isDecided && proposal.decision !== decision) throw new AppError('proposal_decided');
  if (decision === 'refuse') return { id, state: 'done' };
  try {
    await runAct(deps, { id, act, reason, by: await readProposer(deps, operatorId, operator.userId) });
  } catch (error) {
    await sql.begin(async (tx) => {
      await lockAct(tx, id);
      await reopen(tx, id);
    });
    throw error;
  }
  return { id, state: 'done' };
}

/** No operator agrees to what they are given themselves. */
function isAboutOneself(act: Act, operator: Operator): boolean {
  return 'userId' in act && act.userId === operator.userId;
}
