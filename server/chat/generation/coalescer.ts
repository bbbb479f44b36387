import type { Run } from './run.ts';

const TICK_MS = 10;

export interface Coalescer {
  /** Text of the run waits: it becomes an event as soon as it is due. */
  add(run: Run): void;
  close(): void;
}

/** One timer for the waiting text of all runs. It only ticks while something waits. */
export function createCoalescer(): Coalescer {
  const waiting = new Set<Run>();
  let timer: NodeJS.Timeout | undefined;

  function tick() {
    timer = undefined;
    const now = performance.now();
    for (const run of waiting) {
      if (!run.isDue(now)) continue;
      waiting.delete(run);
      run.flush(false);
    }
    schedule();
  }

  function schedule() {
    if (waiting.size > 0) timer ??= setTimeout(tick, TICK_MS);
  }

  return {
    add(run) {
      waiting.add(run);
      schedule();
    },
    close() {
      clearTimeout(timer);
      waiting.clear();
    },
  };
}
