import type { Deps } from '#server/deps.ts';
import { repeat, startWorker } from '#server/platform/jobs.ts';
import { eraseOutlived } from './erase-outlived.ts';
import { claimDeparture, runDeparture } from './run-departure.ts';
import { claimExport, runExport } from './run-export.ts';

const SECOND_MS = 1_000;

/** Begins what goes on with personal data without a request; safe on several processes at once. Returns what ends it in order. */
export function startPersonalData(deps: Deps): () => Promise<void> {
  const departures = startWorker(
    {
      name: 'departures',
      slots: 2,
      everyMs: SECOND_MS,
      claim: (limit) => claimDeparture(deps, limit),
      work: (departure) => runDeparture(deps, departure),
    },
    deps.log,
  );
  const exports = startWorker(
    {
      name: 'exports of personal data',
      slots: 1,
      everyMs: SECOND_MS,
      claim: (limit) => claimExport(deps, limit),
      work: (wanted) => runExport(deps, wanted),
    },
    deps.log,
  );
  const stopErasing = repeat(
    'erasing what may no longer be kept',
    600 * SECOND_MS,
    () => eraseOutlived(deps),
    deps.log,
  );
  return async () => {
    stopErasing();
    await Promise.all([departures.stop(), exports.stop()]);
  };
}
