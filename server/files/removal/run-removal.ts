import type { Deps } from '#server/deps.ts';
import { backoffMs } from '#server/platform/jobs/worker.ts';
import { deleteRemoval, leaseRemovals, postponeRemoval, type Removal } from './removal-store.ts';

const LEASE_MS = 300_000;
const FIRST_RETRY_MS = 10_000;
const MAX_RETRY_MS = 3_600_000;

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

/** Deletes objects under a prefix. It is tried until it succeeds. */
export function removeObjects(deps: RemovalDeps, removal: Removal): Promise<void> {
  return runRemoval(deps, removal, () => deps.storages.of('s3').delete(removal.target));
}

/** Deletes a copy at a provider. It is tried until it succeeds. */
export function removeCopy(deps: RemovalDeps, removal: Removal, deleteCopy: DeleteCopy): Promise<void> {
  return runRemoval(deps, removal, () =>
    deleteCopy({ project: removal.project ?? '', name: removal.target }),
  );
}

async function runRemoval(
  { database, clock, log }: RemovalDeps,
  { id, kind, tries }: Removal,
  remove: () => Promise<void>,
): Promise<void> {
  try {
    await remove();
    await deleteRemoval(database.sql, id);
  } catch (err) {
    log.warn({ err, kind, tries }, 'what a deleted file had outside could not be deleted yet');
    const until = new Date(clock.now().getTime() + backoffMs(tries, FIRST_RETRY_MS, MAX_RETRY_MS));
    await postponeRemoval(database.sql, id, { until, error: String(err) });
  }
}
