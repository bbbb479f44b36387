import type { Run } from './run.ts';

/** How long text waits to be merged into one event, in milliseconds, when few answers run: shorter than a frame on screen. */
const MIN_MERGE_MS = 8;
/** And at most: a reader does not notice it, and with many running answers every event costs. */
const MAX_MERGE_MS = 50;
/** From the threshold on each further answer lengthens the wait; it is the longest at 375. */
const THRESHOLD = 60;

export interface Coalescer {
  /**
   * Text of the run waits: it becomes an event as soon as it is due. What is due already still waits until everything that came at
   * the same time is there: one event for one run, and the events of all runs one after the other, which costs the processor less.
   */
  add(run: Run): void;
  close(): void;
}

/** Milliseconds that text waits when so many answers run. */
export function mergeMs(running: number): number {
  return Math.min(MAX_MERGE_MS, MIN_MERGE_MS * Math.max(1, running / THRESHOLD));
}

/** One timer for the waiting text of all runs; it only ticks while something waits. `countRunning` says how many answers run. */
export function createCoalescer(countRunning: () => number): Coalescer {
  const waiting = new Set<Run>();
  let timer: NodeJS.Timeout | undefined;
  let immediate: NodeJS.Immediate | undefined;

  function isDue(run: Run): boolean {
    return run.quietMs(performance.now()) >= mergeMs(countRunning());
  }

  function flushDue() {
    for (const run of waiting) {
      if (!isDue(run)) continue;
      waiting.delete(run);
      run.flush(false);
    }
  }

  function endTurn() {
    immediate = undefined;
    flushDue();
  }

  function tick() {
    timer = undefined;
    flushDue();
    if (waiting.size > 0) schedule();
  }

  function schedule() {
    timer ??= setTimeout(tick, mergeMs(countRunning()) / 4);
  }

  return {
    add(run) {
      waiting.add(run);
      if (isDue(run)) immediate ??= setImmediate(endTurn);
      else schedule();
    },
    close() {
      clearTimeout(timer);
      clearImmediate(immediate);
      waiting.clear();
    },
  };
}
