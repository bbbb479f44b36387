import { MINUTE_MS } from '#contract/time.ts';
import type { Deps } from '#server/deps.ts';
import type { Jobs } from '#server/platform/jobs/jobs.ts';
import { stopRevokedKeys } from './stop-key-requests.ts';
import { deleteUnkept } from './store.ts';

/** As long as the event log keeps an answer that has ended. */
const KEPT_MINUTES = 75;
const AT_ONCE = 1_000;

/** Stops the requests of keys that are revoked, and deletes answers of the API that are not to be kept. */
export function startApiJobs(deps: Deps, jobs: Jobs): void {
  stopRevokedKeys(deps);
  jobs.repeat('deleting answers of the API', 15 * MINUTE_MS, () => deleteOldAnswers(deps));
}

/** Deletes answers of API requests that no caller can ask for again: all but those under an idempotency key. */
export async function deleteOldAnswers({ database, clock }: Pick<Deps, 'database' | 'clock'>): Promise<void> {
  const at = clock.databaseTime();
  while ((await deleteUnkept(database.sql, KEPT_MINUTES, AT_ONCE, at)) === AT_ONCE);
}
