/** Real time plus an offset that control moves forward; while something past is made up for, the time it was due. */
export class MovableClock {
  offsetMs = 0;
  #held: number | null = null;

  now(): number {
    return this.#held ?? Date.now() + this.offsetMs;
  }

  /** Stands still at `ms` until it is released. */
  hold(ms: number) {
    this.#held = ms;
  }

  /** Runs on from `ms`, or from real time plus the offset there was. */
  release(ms: number | null) {
    this.#held = null;
    if (ms !== null) this.offsetMs = ms - Date.now();
  }
}
