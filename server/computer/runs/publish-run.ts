import type { Bus } from '#server/platform/database/bus.ts';
import { upsertFrame } from './frame-store.ts';
import type { RunDeps } from './run-deps.ts';

/** Topic of browser runs: a row or a confirmation of one changed, or there is input for it. */
export const RUNS_TOPIC = 'computer';

/** Tells all processes that a run changed: they read what is in the tables. */
export function publishRun(bus: Bus, messageId: string): void {
  bus.publish(RUNS_TOPIC, { id: messageId, what: 'changed' });
}

/** Passes a picture of a run on to the processes that show it to its user and do not have the run. */
export function publishFrame({ database, bus, log }: RunDeps, messageId: string, jpeg: string): void {
  upsertFrame(database.sql, messageId, jpeg)
    .then(() => bus.publish(RUNS_TOPIC, { id: messageId, what: 'frame' }))
    .catch((err) => log.debug({ err, messageId }, 'a live picture could not be passed on'));
}
