import type { Context } from 'hono';
import { readSecondFactor } from '#server/accounts/second-factor/read-second-factor.ts';
import { type HttpEnv, requireActor } from '#server/accounts/sessions/authenticate.ts';
import { requireConfirmed } from '#server/accounts/sessions/require-confirmed.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { findOperatorEmail } from './operator-store.ts';

/** A signed-in operator. */
export interface Operator {
  userId: string;
  sessionId: string;
  email: string;
}

type OperatorDeps = Pick<Deps, 'database' | 'clock'>;

/** A signed-in operator, and whether two-step verification is on. */
export interface FoundOperator extends Operator {
  hasSecondFactor: boolean;
}

/** The operator who asks. Throws `unauthenticated`, and `not_found` for any other user: there is no console for them. */
export async function readOperator({ database }: OperatorDeps, c: Context<HttpEnv>): Promise<FoundOperator> {
  const actor = requireActor(c);
  const email = await findOperatorEmail(database.sql, actor.userId);
  if (email === null) throw new AppError('not_found');
  const { on } = await readSecondFactor({ database }, actor.userId);
  return { ...actor, email, hasSecondFactor: on };
}

/** `readOperator`, for whatever shows something. Throws also `second_factor_required` while two-step verification is off. */
export async function requireOperator(deps: OperatorDeps, c: Context<HttpEnv>): Promise<Operator> {
  const operator = await readOperator(deps, c);
  if (!operator.hasSecondFactor) throw new AppError('second_factor_required');
  return operator;
}

/** `requireOperator`, for whatever changes something. Throws also `confirmation_required` without a fresh proof. */
export async function requireConfirmedOperator(deps: OperatorDeps, c: Context<HttpEnv>): Promise<Operator> {
  const operator = await requireOperator(deps, c);
  await requireConfirmed(deps, operator);
  return operator;
}
