import type { Deps } from '#server/deps.ts';
import { SESSION_DAYS } from './live-sessions.ts';
import { findLiveSessionIds } from './store.ts';

/** Those of the sessions that are still signed in. */
export async function listLiveSessions(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  sessionIds: string[],
): Promise<Set<string>> {
  return new Set(await findLiveSessionIds(database.sql, sessionIds, SESSION_DAYS, clock.databaseTime()));
}
