import { DAY_MS, MINUTE_MS } from '#contract/time.ts';
import type { Deps } from '#server/deps.ts';
import type { Jobs } from '#server/platform/jobs/jobs.ts';
import { READERS_AT_ONCE } from './ingest/read-in-slot.ts';
import { dueReadings } from './ingest/reading-store.ts';
import { leaseReading, type ReadFile, runReading, WAITING_TOPIC } from './ingest/run-reading.ts';
import { deleteUnnamedFiles } from './removal/delete-file.ts';
import { deleteLostObjects, MIN_AGE_MS } from './removal/delete-lost-objects.ts';
import { dueRemovals } from './removal/removal-store.ts';
import { type DeleteCopy, leaseRemoval, runRemoval } from './removal/run-removal.ts';

/** With what an upload may take, and looks that fail for some days. What was lost before a process began is found by its first look, at all objects. */
const LOST_WITHIN_MS = MIN_AGE_MS + 7 * DAY_MS;

export interface FileJobs {
  readFile: ReadFile;
  deleteCopy: DeleteCopy;
}

/** Begins what goes on with files without a request; safe on several processes at once. */
export function startFileJobs(deps: Deps, jobs: Jobs, { readFile, deleteCopy }: FileJobs): void {
  const { database, clock, bus } = deps;
  const readings = jobs.startWorker({
    name: 'reading files',
    slots: READERS_AT_ONCE,
    due: () => dueReadings(database.sql, clock.now()),
    lease: (limit) => leaseReading(deps, limit),
    work: (task) => runReading(deps, task, readFile),
  });
  bus.subscribe(WAITING_TOPIC, readings.wake);
  for (const kind of ['objects', 'copy'] as const)
    jobs.startWorker({
      name: `deleting what files had outside: ${kind}`,
      slots: 2,
      due: () => dueRemovals(database.sql, kind, clock.now()),
      lease: (limit) => leaseRemoval(deps, kind, limit),
      work: (removal) => runRemoval(deps, removal, deleteCopy),
    });
  jobs.repeat('deleting files without a message', 5 * MINUTE_MS, () => deleteUnnamedFiles(deps));
  let ageMs: number | null = null;
  jobs.repeat('deleting objects of no file', DAY_MS, async () => {
    await deleteLostObjects(deps, ageMs);
    ageMs = LOST_WITHIN_MS;
  });
}
