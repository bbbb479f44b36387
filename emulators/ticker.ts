/** Runs jobs at points in time given as `performance.now()` milliseconds; one timer serves all of them. */
export interface Ticker {
  at(due: number, run: () => void): void;
}

/** Node's timers add half a millisecond of their own; a grain as coarse as theirs would add as much again. */
const GRAIN_MS = 0.25;

/** A ticker whose jobs never run early; those that are due run in one turn. */
export function createTicker(): Ticker {
  const slots = new Map<number, (() => void)[]>();
  let armedFor = Number.POSITIVE_INFINITY;
  let firing = false;
  let timer: NodeJS.Timeout | undefined;

  function arm(slot: number) {
    clearTimeout(timer);
    armedFor = slot;
    timer = setTimeout(fire, Math.max(1, Math.ceil(slot - performance.now())));
  }

  function fire() {
    const now = performance.now();
    firing = true;
    for (const [slot, jobs] of slots) {
      if (slot > now) continue;
      slots.delete(slot);
      for (const run of jobs) run();
    }
    firing = false;
    armedFor = Number.POSITIVE_INFINITY;
    if (slots.size > 0) arm(Math.min(...slots.keys()));
  }

  return {
    at(due, run) {
      const slot = Math.ceil(due / GRAIN_MS) * GRAIN_MS;
      const jobs = slots.get(slot);
      if (jobs) jobs.push(run);
      else slots.set(slot, [run]);
      if (!firing && slot < armedFor) arm(slot);
    },
  };
}
