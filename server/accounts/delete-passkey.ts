import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Actor } from './authenticate.ts';
import { removePasskey } from './passkey-store.ts';
import { requireConfirmed } from './require-confirmed.ts';

/** Deletes a passkey of the caller. Throws `confirmation_required`, and `not_found`, also for another user's. */
export async function deletePasskey(
  deps: Pick<Deps, 'database' | 'clock'>,
  actor: Actor,
  id: string,
): Promise<void> {
  await requireConfirmed(deps, actor);
  if (!(await removePasskey(deps.database.sql, actor.userId, id))) throw new AppError('not_found');
}
