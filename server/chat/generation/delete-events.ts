import { MINUTE_MS } from '#contract/time.ts';
import type { BaseDeps } from '#server/base-deps.ts';
import { deleteOldEvents } from './event-store.ts';

const EVERY_MS = 10 * MINUTE_MS;
/** An hour after the end of the longest answer. */
const KEPT_MINUTES = 75;
const AT_ONCE = 10_000;

/** Deletes events that the event log no longer needs, every ten minutes; every process does. */
export function deleteEvents({ database, log }: Pick<BaseDeps, 'database' | 'log'>) {
  let timer: NodeJS.Timeout | undefined;

  async function deleteOld() {
    try {
      while ((await deleteOldEvents(database.sql, KEPT_MINUTES, AT_ONCE)) === AT_ONCE);
    } catch (error) {
      log.warn({ err: error }, 'the event log could not be shortened; trying again later');
    }
  }

  return {
    start() {
      timer = setInterval(deleteOld, EVERY_MS);
    },
    close() {
      clearInterval(timer);
    },
  };
}
