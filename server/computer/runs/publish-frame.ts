import { upsertFrame } from './frame-store.ts';
import { RUNS_TOPIC } from './publish-run.ts';
import type { RunDeps } from './run-deps.ts';

/** Passes a picture of a run on to the processes that show it to its user and do not have the run. */
export function publishFrame({ database, bus, log }: RunDeps, messageId: string, jpeg: string): void {
  upsertFrame(database.sql, messageId, jpeg)
    .then(() => bus.publish(RUNS_TOPIC, { id: messageId, what: 'frame' }))
    .catch((err) => log.debug({ err, messageId }, 'a live picture could not be passed on'));
}
