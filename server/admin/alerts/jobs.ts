import { MINUTE_MS } from '#contract/time.ts';
import type { Deps } from '#server/deps.ts';
import type { Jobs } from '#server/platform/jobs/jobs.ts';
import { dueAlerts } from './alert-store.ts';
import { recordAlerts } from './record-alerts.ts';
import { sendAlerts } from './send-alerts.ts';
import { watchProcess } from './watch-process.ts';

/**
 * Begins to look, once a minute, for what needs the operator, and to send it. Each process looks at itself; what all share is looked
 * at by one of them. `faultyUsers` is what `startCreditJobs` gave.
 */
export function startAlerts(deps: Deps, jobs: Jobs, faultyUsers: Set<string>): void {
  const { database, clock } = deps;
  const watch = watchProcess(deps, faultyUsers);
  jobs.repeat('looking for what needs the operator', MINUTE_MS, () => recordAlerts(deps, watch));
  jobs.whenDue(
    'sending alerts',
    () => dueAlerts(database.sql, clock.now()),
    () => sendAlerts(deps),
  );
}
