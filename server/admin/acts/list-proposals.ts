import type { Proposal } from '#contract/admin/acts.ts';
import type { Deps } from '#server/deps.ts';
import type { Operator } from '../operators/require-operator.ts';
import { selectProposals } from './act-store.ts';

const MAX_ROWS = 100;

/** Acts that wait for a second operator: those that the reader may decide first. Null: who uses the command line. */
export async function listProposals(
  { database }: Pick<Deps, 'database'>,
  operator: Pick<Operator, 'userId'> | null,
): Promise<Proposal[]> {
  const rows = await selectProposals(database.sql, operator?.userId ?? null, MAX_ROWS);
  return rows.map(({ id, act, reason, operatorId, proposedBy, proposedAt, who }) => ({
    id,
    act,
    reason,
    proposedBy,
    who,
    isOwn: operatorId === operator?.userId,
    proposedAt: proposedAt.getTime(),
  }));
}
