import { MINUTE_MS } from '#contract/time.ts';
import type { Deps } from '#server/deps.ts';
import type { Jobs } from '#server/platform/jobs/jobs.ts';
import { resumeRefunds } from './acts/refund-by-hand.ts';
import { startAlerts } from './alerts/jobs.ts';
import { watchMargin } from './margin/watch-margin.ts';

/** Begins what goes on for the operator without a request. `faultyUsers` is what `startCreditJobs` gave. */
export function startAdminJobs(deps: Deps, jobs: Jobs, faultyUsers: Set<string>): void {
  watchMargin(deps, jobs);
  startAlerts(deps, jobs, faultyUsers);
  jobs.repeat('asking again for refunds', MINUTE_MS, () => resumeRefunds(deps));
}
