type Start = () => void;

/**
 * Slots for the work of many owners, who take turns where they wait. One owner never has the last slot, unless there is one alone:
 * the next to come would wait for as long as their work takes.
 */
export class FairSlots {
  private free: number;
  private readonly mostOfOne: number;
  private readonly held = new Map<string, number>();
  /** Waiting callers by owner; the next owner to serve is first. */
  private readonly waiting = new Map<string, Set<Start>>();

  constructor(limit: number) {
    this.free = limit;
    this.mostOfOne = Math.max(1, limit - 1);
  }

  /** Resolves with the function that frees the slot; that may be called more than once. Rejects with the reason of `signal`. */
  async take(owner: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (!this.tryTake(owner)) await this.wait(owner, signal);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.giveBack(owner);
    };
  }

  private tryTake(owner: string): boolean {
    const held = this.held.get(owner) ?? 0;
    if (this.free === 0 || held >= this.mostOfOne) return false;
    this.free -= 1;
    this.held.set(owner, held + 1);
    return true;
  }

  private wait(owner: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const starts = this.waiting.get(owner) ?? new Set();
      const start = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        starts.delete(start);
        if (starts.size === 0) this.waiting.delete(owner);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.waiting.set(owner, starts.add(start));
    });
  }

  private giveBack(owner: string) {
    const left = (this.held.get(owner) ?? 1) - 1;
    if (left > 0) this.held.set(owner, left);
    else this.held.delete(owner);
    this.free += 1;
    this.startNext();
  }

  private startNext() {
    for (const [owner, starts] of this.waiting)
      for (const start of starts) {
        if (!this.tryTake(owner)) break;
        starts.delete(start);
        this.waiting.delete(owner);
        if (starts.size > 0) this.waiting.set(owner, starts);
        return start();
      }
  }
}
