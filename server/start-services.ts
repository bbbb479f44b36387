import { MINUTE_MS } from '#contract/time.ts';
import { startAccountJobs } from '#server/accounts/jobs.ts';
import { startAdminJobs } from '#server/admin/jobs.ts';
import { startBillingJobs } from '#server/billing/jobs.ts';
import { startChatJobs } from '#server/chat/jobs.ts';
import { startComputerJobs } from '#server/computer/jobs.ts';
import { startCreditJobs } from '#server/credits/jobs.ts';
import { startApiJobs } from '#server/openai-api/jobs.ts';
import { startPersonalDataJobs } from '#server/personal-data/jobs.ts';
import type { Deps } from './deps.ts';
import { deleteOldRateLimits } from './platform/database/rate-limit.ts';
import { createJobs } from './platform/jobs/jobs.ts';
import { watchDatabase } from './platform/jobs/watch-database.ts';
import { wireFileJobs } from './wire-file-jobs.ts';
import { wireMailJobs } from './wire-mail-jobs.ts';

/**
 * Begins all that goes on without a request, in the order in which each part needs the one before; it is safe on several
 * processes at once. Returns what ends it again. A test may bring another reader of files.
 */
export async function startServices(
  deps: Deps,
  fileJobs?: Parameters<typeof wireFileJobs>[2],
): Promise<() => Promise<void>> {
  const { database, bus, instance, generation, computer, upstream, log, metrics, sse, tracing } = deps;
  metrics.addGauge('parley_event_streams', 'Streams of events that are open now.', () => sse.size);
  await Promise.all([instance.start(), bus.start(), deps.models.refresh()]);
  generation.start();
  const onBeat = (seconds: number) => metrics.databaseWait.observe(seconds);
  const jobs = createJobs(database, log, { onBeat, tracing });
  watchDatabase(database, metrics, jobs);
  startAccountJobs(deps, jobs);
  startBillingJobs(deps, jobs);
  startPersonalDataJobs(deps, jobs);
  wireMailJobs(deps, jobs);
  const faultyUsers = startCreditJobs(deps, jobs);
  startChatJobs(deps, jobs);
  wireFileJobs(deps, jobs, fileJobs);
  startComputerJobs(deps, jobs);
  startApiJobs(deps, jobs);
  startAdminJobs(deps, jobs, faultyUsers);
  jobs.repeat('deleting counts of attempts', 30 * MINUTE_MS, () =>
    deleteOldRateLimits(database.sql, deps.clock.databaseTime()),
  );
  return async () => {
    await jobs.stop();
    generation.close();
    await computer.stop();
    await bus.close();
    await instance.stop();
    upstream.close();
    deps.mailer?.close();
  };
}
