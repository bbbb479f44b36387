import { MINUTE_MS } from '#contract/time.ts';
import type { Deps } from '#server/deps.ts';
import type { Jobs } from '#server/platform/jobs/jobs.ts';
import { deleteExpiredAccess } from './delete-expired-access.ts';

/** Deletes what gave access to accounts and has expired. */
export function startAccountJobs(deps: Deps, jobs: Jobs): void {
  jobs.repeat('deleting sessions that are over', 30 * MINUTE_MS, () => deleteExpiredAccess(deps));
}
