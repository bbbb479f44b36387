import type { ActRequest } from '#contract/admin/acts.ts';
import { DAY_MS } from '#contract/time.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { insertAudit } from '../billing-records/store.ts';
import { lockOperator } from '../operators/operator-store.ts';
import { type Moves, needsSecondOperator } from './act-rules.ts';
import { findProposal, findRecorded, lockAct, sumActs } from './act-store.ts';

/** Who asks for an act. Whoever uses the command line has the database, and needs no consent. */
export interface By {
  name: string;
  /** Null: the command line. */
  operatorId: string | null;
  /** The second operator, by their id, where one agreed. */
  agreedBy: string | null;
}

/** An act with who asks for it. */
export interface OrderedAct extends ActRequest {
  by: By;
}

/** What the audit log says of an act. */
export interface Note {
  userId: string | null;
  subject: string | null;
  /** What it moves, null where that is not known; counted against what one operator may move alone. */
  moves: Moves;
}

/** The act is above what one operator may do alone. */
export class SecondOperatorNeeded extends Error {}
/** The id was used before: the act was carried out, is being, or waits. */
export class Repeated extends Error {}

type NoteDeps = Pick<Deps, 'clock' | 'config'>;

/**
 * Notes an act in the transaction that carries it out. Returns the number of the line. Throws `SecondOperatorNeeded`, `Repeated`,
 * `not_found` for a user who is an operator no longer, and `proposal_decided`.
 */
export async function recordAct(
  tx: Executor,
  deps: NoteDeps,
  ordered: OrderedAct,
  note: Note,
): Promise<string> {
  const { id, reason, act, by } = ordered;
  const at = deps.clock.now();
  await lockAct(tx, id);
  if (await findRecorded(tx, id)) throw new Repeated();
  const proposal = await findProposal(tx, id);
  if (proposal && by.agreedBy === null) throw new Repeated();
  if (by.agreedBy !== null && proposal?.decision !== 'agree') throw new AppError('proposal_decided');
  for (const operatorId of [by.operatorId, by.agreedBy].filter((each) => each !== null).sort())
    if (!(await lockOperator(tx, operatorId))) throw new AppError('not_found');
  const moved = await readMoved(tx, deps, by.operatorId);
  if (needsSecondOperator({ ...by, ...note, moved }, deps.config.operator)) throw new SecondOperatorNeeded();
  return insertAudit(tx, {
    actId: id,
    operatorId: by.operatorId,
    actor: by.name,
    act: act.act,
    reason,
    at,
    userId: note.userId,
    subject: note.subject,
    details: { act, ...note.moves, ...(by.agreedBy === null ? {} : { agreedBy: by.agreedBy }) },
  });
}

/** `recordAct` in a transaction of its own, before what cannot be undone. */
export function recordFirst(
  deps: NoteDeps & Pick<Deps, 'database'>,
  ordered: OrderedAct,
  note: Note,
): Promise<string> {
  return deps.database.sql.begin((tx) => recordAct(tx, deps, ordered, note));
}

/** What an operator moved in the last day without a second one; nothing at the command line, where nobody has to agree. */
export async function readMoved(
  sql: Executor,
  { clock }: Pick<Deps, 'clock'>,
  operatorId: string | null,
): Promise<{ credits: number; minor: number }> {
  if (operatorId === null) return { credits: 0, minor: 0 };
  return sumActs(sql, operatorId, new Date(clock.now().getTime() - DAY_MS));
}
