import type { Bus } from '#server/platform/database/bus.ts';

/** Topic of runs of a browser: something of one changed, in its row or its confirmations, or it is told something. */
export const RUNS_TOPIC = 'computer';

/** Tells all processes that a run changed: they read what is in the tables. */
export function publishRun(bus: Bus, messageId: string): void {
  bus.publish(RUNS_TOPIC, { id: messageId, what: 'changed' });
}
