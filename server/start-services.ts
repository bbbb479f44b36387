import { deleteExpiredAccess } from '#server/accounts/delete-expired-access.ts';
import { startAdminJobs } from '#server/admin/jobs.ts';
import { startPayments } from '#server/billing/jobs.ts';
import { startChatJobs } from '#server/chat/jobs.ts';
import { startComputerJobs } from '#server/computer/jobs.ts';
import { startLedger } from '#server/credits/jobs.ts';
import { deleteOldAnswers } from '#server/openai-api/delete-old-answers.ts';
import { stopRevokedKeys } from '#server/openai-api/stop-key-requests.ts';
import { startPersonalData } from '#server/personal-data/jobs.ts';
import type { Deps } from './deps.ts';
import { startFileJobs } from './file-jobs.ts';
import { startMailJobs } from './mail-jobs.ts';
import { deleteOldRateLimits } from './platform/database/rate-limit.ts';
import { createJobs } from './platform/jobs/jobs.ts';
import { watchDatabase } from './platform/jobs/watch-database.ts';

const MINUTE_MS = 60_000;

/**
 * Begins all that goes on without a request, in the order in which each part needs the one before; it is safe on several
 * processes at once. Returns what ends it again. A test may bring another reader of files.
 */
export async function startServices(
  deps: Deps,
  fileJobs?: Parameters<typeof startFileJobs>[2],
): Promise<() => Promise<void>> {
  const { database, bus, instance, generation, computer, upstream, log, metrics, sse, tracing } = deps;
  metrics.addGauge('parley_event_streams', 'Streams of events that are open now.', () => sse.size);
  await Promise.all([instance.start(), bus.start(), deps.models.refresh()]);
  generation.start();
  stopRevokedKeys(deps);
  const onBeat = (seconds: number) => metrics.databaseWait.observe(seconds);
  const jobs = createJobs(database, log, { onBeat, tracing });
  watchDatabase(database, metrics, jobs);
  startPayments(deps, jobs);
  startPersonalData(deps, jobs);
  startMailJobs(deps, jobs);
  const faultyUsers = startLedger(deps, jobs);
  startChatJobs(deps, jobs);
  startFileJobs(deps, jobs, fileJobs);
  startComputerJobs(deps, jobs);
  startAdminJobs(deps, jobs, faultyUsers);
  jobs.repeat('deleting sessions that are over', 30 * MINUTE_MS, () => deleteExpiredAccess(deps));
  jobs.repeat('erasing answers of the API', 15 * MINUTE_MS, () => deleteOldAnswers(deps));
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
