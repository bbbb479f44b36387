/** Lets as many browsers as there may be run at once in this process; later runs wait, first come first served. */
export class BrowserQueue {
  private free: number;
  private readonly queue: { go: () => void; onPlace: (place: number) => void }[] = [];

  constructor(count: number) {
    this.free = count;
  }

  /** How many runs wait. */
  get waiting(): number {
    return this.queue.length;
  }

  /**
   * Resolves when it is the caller's turn, with the function that frees its place. `onPlace` receives how many are in front, the caller
   * included, at first and whenever that changes; it is not called where there is room. Rejects with the signal's reason.
   */
  take(signal: AbortSignal, onPlace: (place: number) => void): Promise<() => void> {
    signal.throwIfAborted();
    if (this.free > 0) {
      this.free -= 1;
      return Promise.resolve(this.giver());
    }
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const waiting = {
      onPlace,
      go: () => {
        signal.removeEventListener('abort', onAbort);
        resolve(this.giver());
      },
    };
    const onAbort = () => {
      this.queue.splice(this.queue.indexOf(waiting), 1);
      this.announce();
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    this.queue.push(waiting);
    onPlace(this.queue.length);
    return promise;
  }

  private giver(): () => void {
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      const next = this.queue.shift();
      if (!next) {
        this.free += 1;
        return;
      }
      next.go();
      this.announce();
    };
  }

  private announce() {
    for (const [index, { onPlace }] of this.queue.entries()) onPlace(index + 1);
  }
}
