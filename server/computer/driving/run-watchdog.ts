import { AppError } from '#server/errors.ts';
import type { LiveRun } from '../runs/live-run.ts';

type Watchable = Pick<LiveRun, 'isWaiting' | 'lastInputMs' | 'ownMs'> & {
  run: Pick<LiveRun['run'], 'signal'>;
};

/** Ends each wait of a run early when the run ends: by a stop, a lost browser, an unanswered question, or no progress. */
export class RunWatchdog {
  private readonly live: Watchable;
  private readonly idleMs: number;
  private readonly failure = Promise.withResolvers<never>();
  /** Counted in the own time of the run, which stands still while its user is asked. */
  private progressMs: number;
  private readonly onAbort = () => this.failure.reject(this.live.run.signal.reason);

  constructor(live: Watchable, idleMs: number) {
    this.live = live;
    this.idleMs = idleMs;
    this.progressMs = live.ownMs();
    this.failure.promise.catch(() => {});
    live.run.signal.addEventListener('abort', this.onAbort, { once: true });
  }

  end() {
    this.live.run.signal.removeEventListener('abort', this.onAbort);
  }

  fail(error: unknown) {
    this.failure.reject(error);
  }

  /** Ends the waits because the browser is gone. */
  lose(reason: string) {
    this.fail(new AppError('browser_failed', {}, { cause: new Error(`the browser is gone: ${reason}`) }));
  }

  progress() {
    this.progressMs = this.live.ownMs();
  }

  race<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.failure.promise]);
  }

  /**
   * Waits for an action of the browser, as long as there is progress or its user is asked. What the user did before, such as a long text
   * that they pasted, comes first and is progress.
   */
  async act<T>(work: Promise<T>): Promise<T> {
    this.progress();
    let timer: NodeJS.Timeout | undefined;
    const look = () => {
      const progressMs = Math.max(this.progressMs, this.live.lastInputMs);
      const left = progressMs + this.idleMs - this.live.ownMs();
      if (this.live.isWaiting) timer = setTimeout(look, this.idleMs);
      else if (left > 0) timer = setTimeout(look, left);
      else this.lose('nothing happens any more');
    };
    timer = setTimeout(look, this.idleMs);
    const done = work.catch((cause: unknown) => {
      throw new AppError('browser_failed', {}, { cause });
    });
    try {
      return await this.race(done);
    } finally {
      clearTimeout(timer);
    }
  }
}
