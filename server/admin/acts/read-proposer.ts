import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { findOperatorEmail } from '../operators/operator-store.ts';
import type { By } from './record-act.ts';

/** Who proposed an act, and that another operator agreed. Throws `not_found` for a user who is an operator no longer. */
export async function readProposer(
  { database }: Pick<Deps, 'database'>,
  operatorId: string,
  agreedBy: string,
): Promise<By> {
  const name = await findOperatorEmail(database.sql, operatorId);
  if (name === null) throw new AppError('not_found');
  return { name, operatorId, agreedBy };
}
