import type { BaseDeps } from '#server/base-deps.ts';
import { selectBalance } from './store.ts';

/** The credits that the user can spend now. Books first what has expired and the free month that is due. */
export function readBalance(deps: Pick<BaseDeps, 'database' | 'clock'>, userId: string): Promise<number> {
  return selectBalance(deps.database.sql, userId, deps.clock.databaseTime());
}
