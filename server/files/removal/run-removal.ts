import { HOUR_MS } from '#contract/time.ts';
import type { Deps } from '#server/deps.ts';
import { backoffMs } from '#server/platform/jobs/worker.ts';
import { deleteRemoval, leaseRemovals, postponeRemoval, type Removal } from './removal-store.ts';

const LEASE_MS = 300_000;
const FIRST_RETRY_MS = 10_000;
const MAX_RETRY_MS = HOUR_MS;

/** Deletes a copy that a provider keeps, by its project and name. One that is gone is deleted; throws where that is not certain. */
export type DeleteCopy = (copy: { project: string; name: string }) => Promise<void>;

type RemovalDeps = Pick<Deps, 'database' | 'clock' | 'log' | 'storages'>;

/** Takes removals that are due. */
export function leaseRemoval(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  kind: Removal['kind'],
  limit: number,
): Promise<Removal[]> {
  return leaseRemovals(database.sql, kind, { at: clock.now(), leaseMs: LEASE_MS, limit });
}

/**
 * Deletes what a deleted file had outside: objects under a prefix, or a copy at a provider by `deleteCopy`. What fails is tried again,
 * after an hour at most, until it succeeds.
 */
export async function runRemoval(
  { database, clock, log, storages }: RemovalDeps,
  { id, kind, project, target, tries }: Removal,
  deleteCopy: DeleteCopy,
): Promise<void> {
  try {
    if (kind === 'objects') await storages.of('s3').delete(target);
    else await deleteCopy({ project: project ?? '', name: target });
    await deleteRemoval(database.sql, id);
  } catch (err) {
    log.warn({ err, kind, tries }, 'what a deleted file had outside could not be deleted yet');
    const until = new Date(clock.now().getTime() + backoffMs(tries, FIRST_RETRY_MS, MAX_RETRY_MS));
    await postponeRemoval(database.sql, id, { until, error: String(err) });
  }
}
