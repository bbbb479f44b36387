import { MINUTE_MS } from '#contract/time.ts';
import type { Deps } from '#server/deps.ts';
import type { Jobs } from '#server/platform/jobs/jobs.ts';
import { deleteOldAnswers } from './delete-old-answers.ts';
import { stopRevokedKeys } from './stop-key-requests.ts';

/** Stops the requests of keys that are revoked, and deletes answers of the API that are not to be kept. */
export function startApiJobs(deps: Deps, jobs: Jobs): void {
  stopRevokedKeys(deps);
  jobs.repeat('deleting answers of the API', 15 * MINUTE_MS, () => deleteOldAnswers(deps));
}
