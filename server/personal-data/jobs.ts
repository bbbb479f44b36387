import { MINUTE_MS } from '#contract/time.ts';
import type { Deps } from '#server/deps.ts';
import type { Jobs } from '#server/platform/jobs/jobs.ts';
import { deleteExpiredData } from './delete-expired-data.ts';
import { dueDeletions } from './deletion-queue-store.ts';
import { dueExports } from './export-store.ts';
import { leaseDeletion, runDeletion } from './run-deletion.ts';
import { leaseExport, runExport } from './run-export.ts';

/** Begins what goes on with personal data without a request. */
export function startPersonalDataJobs(deps: Deps, jobs: Jobs): void {
  const { database, clock } = deps;
  jobs.startWorker({
    name: 'deletions',
    slots: 2,
    due: () => dueDeletions(database.sql, clock.now()),
    lease: (limit) => leaseDeletion(deps, limit),
    work: (deletion) => runDeletion(deps, deletion),
  });
  jobs.startWorker({
    name: 'exports of personal data',
    slots: 1,
    due: () => dueExports(database.sql, clock.now()),
    lease: (limit) => leaseExport(deps, limit),
    work: (wanted) => runExport(deps, wanted),
  });
  jobs.repeat('deleting expired personal data', 10 * MINUTE_MS, () => deleteExpiredData(deps));
}
