import { MINUTE_MS } from '#contract/time.ts';
import type { Deps } from '#server/deps.ts';
import type { Jobs } from '#server/platform/jobs/jobs.ts';
import { expireConfirmations } from './confirmations/run-confirmation-store.ts';
import { publishRun } from './runs/publish-run.ts';
import { overdue } from './runs/run-store.ts';

/** How often a host that has not proved its walls is asked again. */
const PROBE_MS = MINUTE_MS;

/** Looks for a browser, and ends what users did not answer in time, whichever process asked it. */
export function startComputerJobs({ database, clock, bus, computer, metrics }: Deps, jobs: Jobs): void {
  metrics.addGauge(
    'parley_computer_runs',
    'Runs of a browser of this process, those that wait included.',
    () => computer.counts.runs,
  );
  metrics.addGauge(
    'parley_computer_queue',
    'Runs of this process that wait for a browser.',
    () => computer.counts.queued,
  );
  void computer.start();
  jobs.repeat('asking the browser host', PROBE_MS, () => computer.start());
  jobs.whenDue(
    'ending unanswered confirmations',
    () => overdue(database.sql, clock.databaseTime()),
    async () => {
      for (const id of await expireConfirmations(database.sql, clock.databaseTime())) publishRun(bus, id);
    },
  );
}
