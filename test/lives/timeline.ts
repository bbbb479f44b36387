/** What is done at one moment is done in this order; acts one after the other, the rest of a kind at once. */
const KINDS = ['act', 'post', 'ask', 'look', 'ask again', 'judge'] as const;
type Kind = (typeof KINDS)[number];

interface Task {
  at: number;
  kind: Kind;
  run: () => Promise<unknown>;
}

/** Much that happens on one clock, which stands at each moment until all of it is done. */
export class Timeline {
  #tasks: Task[] = [];
  readonly clock = {
    time: 0,
    now: () => new Date(this.clock.time),
    databaseTime: () => new Date(this.clock.time),
  };

  /** What is due before the present moment is done at it. */
  add(at: number, kind: Kind, run: Task['run']) {
    this.#tasks.push({ at: Math.max(at, this.clock.time), kind, run });
  }

  /** The first of a kind at a moment is enough. */
  addOnce(at: number, kind: Kind, run: Task['run']) {
    if (!this.#tasks.some((task) => task.at === at && task.kind === kind)) this.add(at, kind, run);
  }

  /** @param onMove before the clock shows another moment */
  async run(onMove: (now: number) => Promise<void>) {
    while (this.#tasks.length > 0) {
      const now = Math.min(...this.#tasks.map(({ at }) => at));
      if (now > this.clock.time) await onMove(now);
      this.clock.time = now;
      const kind = KINDS.find((each) => this.#tasks.some((task) => task.at === now && task.kind === each));
      const due = this.#tasks.filter((task) => task.at === now && task.kind === kind);
      this.#tasks = this.#tasks.filter((task) => !due.includes(task));
      if (kind !== 'act') await Promise.all(due.map((task) => task.run()));
      else for (const task of due) await task.run();
    }
  }
}
