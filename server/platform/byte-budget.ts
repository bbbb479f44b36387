interface Waiting {
  bytes: number;
  start(): void;
}

/**
 * Bytes of files that a process holds in memory for requests under way. Whoever wants more than is left waits for those before;
 * one that wants more than all of it gets it alone.
 */
export class ByteBudget {
  private readonly limit: number;
  private taken = 0;
  private readonly waiting: Waiting[] = [];

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Whether none of it is taken. */
  get isWhole(): boolean {
    return this.taken === 0;
  }

  /** Resolves when there is room, with what gives it back; that may be called more than once. Rejects with the reason of `signal`. */
  async take(bytes: number, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const wanted = Math.min(bytes, this.limit);
    if (this.waiting.length > 0 || this.taken + wanted > this.limit) await this.wait(wanted, signal);
    else this.taken += wanted;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.taken -= wanted;
      this.startNext();
    };
  }

  private wait(bytes: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const one = {
        bytes,
        start: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      const leave = () => {
        this.waiting.splice(this.waiting.indexOf(one), 1);
        this.startNext();
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.waiting.push(one);
    });
  }

  private startNext() {
    for (let next = this.waiting[0]; next && this.taken + next.bytes <= this.limit; next = this.waiting[0]) {
      this.waiting.shift();
      this.taken += next.bytes;
      next.start();
    }
  }
}

/** A budget of bytes for each owner, which is forgotten where the owner has none of it any more. */
export class OwnerBudgets {
  private readonly limit: number;
  private readonly budgets = new Map<string, ByteBudget>();

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Takes bytes of an owner, as `ByteBudget.take`. */
  async take(owner: string, bytes: number, signal: AbortSignal): Promise<() => void> {
    const budget = this.budgets.get(owner) ?? new ByteBudget(this.limit);
    this.budgets.set(owner, budget);
    const forget = () => {
      if (budget.isWhole && this.budgets.get(owner) === budget) this.budgets.delete(owner);
    };
    const release = await budget.take(bytes, signal).finally(forget);
    return () => {
      release();
      forget();
    };
  }
}

/**
 * Takes what is of an owner first, so that their others wait for these and not before everybody else, then what is of all. Resolves with
 * what gives both back: that of all first, because whoever waits for it already comes before the owner's next. Rejects as the two do.
 */
export async function takeBoth(
  takeOfOwner: () => Promise<() => void>,
  takeOfAll: () => Promise<() => void>,
): Promise<() => void> {
  const leave = await takeOfOwner();
  const release = await takeOfAll().catch((error) => {
    leave();
    throw error;
  });
  return () => {
    release();
    leave();
  };
}
