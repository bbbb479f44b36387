import type { Deps } from '#server/deps.ts';
import { sessionLife } from './live-sessions.ts';
import { findLiveSessionIds } from './store.ts';

/** Those of the sessions that are still signed in. */
export async function listLiveSessions(
  { config, database, clock }: Pick<Deps, 'config' | 'database' | 'clock'>,
  sessionIds: string[],
): Promise<Set<string>> {
  return new Set(
    await findLiveSessionIds(database.sql, sessionIds, sessionLife(config), clock.databaseTime()),
  );
}
