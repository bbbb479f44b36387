import type { Deps } from '#server/deps.ts';
import { repeat, startWorker } from '#server/platform/jobs.ts';
import { purgeExpired } from './purge-expired.ts';
import { leaseDeletion, runDeletion } from './run-deletion.ts';
import { leaseExport, runExport } from './run-export.ts';

const SECOND_MS = 1_000;

/** Begins what goes on with personal data without a request; safe on several processes at once. Returns what ends it in order. */
export function startPersonalData(deps: Deps): () => Promise<void> {
  const deletions = startWorker(
    {
      name: 'deletions',
      slots: 2,
      everyMs: SECOND_MS,
      lease: (limit) => leaseDeletion(deps, limit),
      work: (deletion) => runDeletion(deps, deletion),
    },
    deps.log,
  );
  const exports = startWorker(
    {
      name: 'exports of personal data',
      slots: 1,
      everyMs: SECOND_MS,
      lease: (limit) => leaseExport(deps, limit),
      work: (wanted) => runExport(deps, wanted),
    },
    deps.log,
  );
  const stopPurging = repeat(
    'purging expired personal data',
    600 * SECOND_MS,
    () => purgeExpired(deps),
    deps.log,
  );
  return async () => {
    stopPurging();
    await Promise.all([deletions.stop(), exports.stop()]);
  };
}
