import type { Executor } from '#server/platform/database/database.ts';
import { updateFreePause } from './store.ts';

/** No free month of the user begins before `until`; null ends the pause. Credits that were granted stay as they are. */
export function pauseFreeMonths(tx: Executor, userId: string, until: Date | null): Promise<void> {
  return updateFreePause(tx, userId, until);
}
