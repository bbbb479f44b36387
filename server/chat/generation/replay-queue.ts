type Step = () => void;

/** Steps that are taken at once, and how often, in milliseconds: up to 45 MB a second for all readers. */
const AT_ONCE = 8;
const EVERY_MS = 5;

/**
 * Lets readers of long answers continue in turns: a few at a time, one of each user before the next of any. A step writes up to a block,
 * which the kernel buffers even for a reader that never reads; without turns a thousand such readers would block everyone.
 */
export class ReplayQueue {
  /** Waiting steps by user; the next user to serve is first. */
  private readonly waiting = new Map<string, Set<Step>>();
  private timer: NodeJS.Timeout | undefined;

  /** Calls `step` once when it is its turn. */
  wait(userId: string, step: Step) {
    const steps = this.waiting.get(userId) ?? new Set();
    this.waiting.set(userId, steps.add(step));
    this.timer ??= setTimeout(() => this.next(), EVERY_MS);
  }

  /** Forgets a step that has not been called. */
  takeBack(userId: string, step: Step) {
    const steps = this.waiting.get(userId);
    if (steps?.delete(step) && steps.size === 0) this.waiting.delete(userId);
  }

  private next() {
    this.timer = undefined;
    for (let left = AT_ONCE; left > 0; left -= 1) this.takeOne();
    if (this.waiting.size > 0) this.timer ??= setTimeout(() => this.next(), EVERY_MS);
  }

  private takeOne() {
    for (const [userId, steps] of this.waiting) {
      this.waiting.delete(userId);
      const [step] = steps;
      if (!step) continue;
      steps.delete(step);
      if (steps.size > 0) this.waiting.set(userId, steps);
      return step();
    }
  }
}
