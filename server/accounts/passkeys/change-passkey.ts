import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { requireName } from '#server/platform/clean-text.ts';
import { updatePasskeyName } from './passkey-store.ts';

/** Gives a passkey of the user another name. Throws `not_found`, also for another user's, and `invalid_request`. */
export async function changePasskey(
  { database }: Pick<Deps, 'database'>,
  userId: string,
  id: string,
  given: string,
): Promise<void> {
  const name = requireName(given, 'name');
  if (!(await updatePasskeyName(database.sql, userId, id, name))) throw new AppError('not_found');
}
