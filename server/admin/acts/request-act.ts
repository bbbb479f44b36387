import type { ActOutcome, ActRequest } from '#contract/admin/acts.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Operator } from '../operators/require-operator.ts';
import { isSameAct } from './act-rules.ts';
import { findProposal, findRecorded, insertProposal, lockAct } from './act-store.ts';
import { SecondOperatorNeeded } from './record-act.ts';
import { recordProposal } from './record-proposal.ts';
import { runAct } from './run-act.ts';

/**
 * Does what an operator asks for, or keeps it until a second operator agrees. The same id again is the same act. Throws as
 * `runAct`, `key_reused` for an id of another act, `proposal_refused`.
 */
export async function requestAct(deps: Deps, operator: Operator, request: ActRequest): Promise<ActOutcome> {
  const proposed = await outcomeOfProposal(deps, operator, request);
  if (proposed) return proposed;
  const by = { name: operator.email, operatorId: operator.userId, agreedBy: null };
  try {
    await runAct(deps, { ...request, by });
  } catch (error) {
    if (!(error instanceof SecondOperatorNeeded)) throw error;
    return propose(deps, operator, request);
  }
  return { id: request.id, state: 'done' };
}

async function outcomeOfProposal(
  deps: Deps,
  { userId: operatorId, email }: Operator,
  { id, act, reason }: ActRequest,
): Promise<ActOutcome | null> {
  const proposal = await findProposal(deps.database.sql, id);
  if (!proposal) return null;
  if (!isSameAct(proposal, { act, reason, operatorId })) throw new AppError('key_reused');
  if (proposal.decision === 'refuse') throw new AppError('proposal_refused');
  if (!(await findRecorded(deps.database.sql, id))) return { id, state: 'waiting' };
  await runAct(deps, { id, act, reason, by: { name: email, operatorId, agreedBy: null } });
  return { id, state: 'done' };
}

async function propose(deps: Deps, operator: Operator, request: ActRequest): Promise<ActOutcome> {
  const { userId: operatorId } = operator;
  await deps.database.sql.begin(async (tx) => {
    await lockAct(tx, request.id);
    if (await findRecorded(tx, request.id)) return;
    if (await insertProposal(tx, { ...request, operatorId, proposedAt: deps.clock.now() }))
      await recordProposal(tx, deps, operator, 'propose', request);
  });
  return requestAct(deps, operator, request);
}
