import type { Run } from './run.ts';

const TICK_MS = 10;

export interface Coalescer {
  /**
   * Text of the run waits: it becomes an event as soon as it is due. What is due already still waits until everything that came at
   * the same time is there: one event for one run, and the events of all runs one after the other, which costs the processor less.
   */
  add(run: Run): void;
  close(): void;
}

/** One timer for the waiting text of all runs. It only ticks while something waits. */
export function createCoalescer(): Coalescer {
  const waiting = new Set<Run>();
  let timer: NodeJS.Timeout | undefined;
  let immediate: NodeJS.Immediate | undefined;

  function flushDue() {
    const now = performance.now();
    for (const run of waiting) {
      if (!run.isDue(now)) continue;
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
    if (waiting.size > 0) timer = setTimeout(tick, TICK_MS);
  }

  return {
    add(run) {
      waiting.add(run);
      if (run.isDue(performance.now())) immediate ??= setImmediate(endTurn);
      else timer ??= setTimeout(tick, TICK_MS);
    },
    close() {
      clearTimeout(timer);
      clearImmediate(immediate);
      waiting.clear();
    },
  };
}
