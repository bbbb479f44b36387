import type { Run } from '#server/chat/generation/run.ts';
import { AppError } from '#server/errors.ts';
import { publishFrame, publishRun } from './publish-run.ts';
import type { RunDeps } from './run-deps.ts';
import { type Control, type RunRow, selectRun, updateRun } from './run-store.ts';
import { Screen } from './screen.ts';

/** How often a run that waits for its user looks again without a notice. */
const POLL_MS = 1_000;

/** A run waits for its user this many times the time of one answer in all, and only once while others wait for a browser. */
const MAX_ANSWER_TIMES = 5;

/** Thrown when a user did not answer in time, or left a run paused for too long: the run ends. */
export class Abandoned extends Error {}

/** Whether a run ended because its browser is gone, or its user did not come back. */
export function isLost(error: unknown): boolean {
  return error instanceof Abandoned || (error instanceof AppError && error.code === 'browser_failed');
}

/** Measures the time during which at least one caller waits, in milliseconds. */
class Waits {
  private count = 0;
  private since = 0;
  private past = 0;

  get areSome(): boolean {
    return this.count > 0;
  }

  get ms(): number {
    return this.past + (this.areSome ? performance.now() - this.since : 0);
  }

  async during<T>(wait: () => Promise<T>): Promise<T> {
    if (!this.areSome) this.since = performance.now();
    this.count += 1;
    try {
      return await wait();
    } finally {
      this.count -= 1;
      if (!this.areSome) this.past += performance.now() - this.since;
    }
  }
}

/** The state of a run as its user sees it. */
interface Shown extends Pick<RunRow, 'state' | 'place' | 'url'> {
  /** When the open question ends. */
  askedUntil: Date | null;
  /** When a pause or a takeover ends. */
  heldUntil: Date | null;
}

/** One browser run in this process: its state, and its waits for its user. */
export class LiveRun {
  readonly run: Run;
  readonly screen: Screen;
  private readonly deps: RunDeps;
  private readonly areOthersWaiting: () => boolean;
  private shown: Shown = { state: 'running', place: null, url: '', askedUntil: null, heldUntil: null };
  /** Time spent waiting for its user, and for its turn. */
  private readonly waits = new Waits();
  private readonly waitsForUser = new Waits();
  private readonly startedAt = performance.now();
  private readonly wakers = new Set<() => void>();
  private wasQueued = false;
  private onEnd: (() => void)[] = [];
  /** Writes of its state, one after the other, so that the last one stands. */
  private written: Promise<void> = Promise.resolve();
  /** When an input of its user was last carried out, in its own time. */
  lastInputMs = 0;
  /** Whether it has a browser. */
  isOpen = false;
  /** The control state that its user wants, as last read; one reading after the other. */
  private wanted: Promise<Control> = Promise.resolve('none');
  /** The last call of `isTakenOver`, for which the next one waits. */
  private asked: Promise<boolean> = Promise.resolve(false);
  /** Its user has taken over since the model was last told. */
  private hasUserActed = false;

  constructor(deps: RunDeps, run: Run, areOthersWaiting: () => boolean) {
    this.deps = deps;
    this.run = run;
    this.areOthersWaiting = areOthersWaiting;
    this.screen = new Screen(
      (isWanted) => this.screencast(isWanted),
      (jpeg) => publishFrame(deps, this.id, jpeg),
    );
  }

  get id(): string {
    return this.run.message.id;
  }

  /** Its own time in milliseconds: without the waits. */
  ownMs(): number {
    return performance.now() - this.startedAt - this.waits.ms;
  }

  /** How long its user may take now, in milliseconds: less each time, so that nobody blocks a browser for long. Throws `Abandoned`. */
  userTimeoutMs(): number {
    const { answerMs } = this.deps.config.computer.timeouts;
    const times = this.areOthersWaiting() ? 1 : MAX_ANSWER_TIMES;
    const left = times * answerMs - this.waitsForUser.ms;
    if (left <= 0) throw new Abandoned();
    return Math.min(answerMs, left);
  }

  /** Records that an input of its user was carried out. */
  recordInput() {
    this.lastInputMs = this.ownMs();
  }

  get isWaiting(): boolean {
    return this.waits.areSome;
  }

  /** Changes the state that its user sees. */
  async change(change: Partial<Shown>): Promise<void> {
    this.shown = { ...this.shown, ...change };
    const { askedUntil, heldUntil, ...shown } = this.shown;
    const row = { ...shown, until: askedUntil ?? heldUntil };
    const write = () => updateRun(this.deps.database.sql, this.id, row);
    this.written = this.written.then(write, write);
    await this.written;
    publishRun(this.deps.bus, this.id);
  }

  /** Records that it waits for a browser in `place`, or no longer where that is null. */
  async queue(place: number | null): Promise<void> {
    if (place === this.shown.place) return;
    if (!this.wasQueued) this.run.notice('computer_queued');
    this.wasQueued = true;
    await this.change({ state: place === null ? 'running' : 'queued', place });
  }

  /** Calls `listener` when the run ends. */
  whenOver(listener: () => void) {
    this.onEnd.push(listener);
  }

  /** Ends the run. */
  end() {
    publishRun(this.deps.bus, this.id);
    for (const listener of this.onEnd) listener();
  }

  /** Called when its rows changed. */
  wake() {
    this.control().catch((err) => {
      this.deps.log.debug({ err, messageId: this.id }, 'what a user wants of a run could not be read');
    });
    for (const wake of this.wakers) wake();
  }

  /** Whether its user has the browser now. Calls are answered in their order. */
  isTakenOver(): Promise<boolean> {
    const look = async () => (await this.wasTakenOver()) || (await this.control()) === 'taken_over';
    // A call may have to read once more; one that comes after it must not be answered before it.
    this.asked = this.asked.then(look, look);
    return this.asked;
  }

  /** Whether its user had the browser at the last reading. */
  async wasTakenOver(): Promise<boolean> {
    return (await this.wanted.catch(() => null)) === 'taken_over';
  }

  /** Waits until `look` finds something, looking again whenever something of the run changes. Rejects with the signal's reason. */
  waitFor<T>(look: () => Promise<T | null>): Promise<T> {
    return this.waits.during(async () => {
      for (;;) {
        const woken = Promise.withResolvers<void>();
        this.wakers.add(woken.resolve);
        try {
          const found = await look();
          if (found !== null) return found;
          await this.rest(woken.promise);
        } finally {
          this.wakers.delete(woken.resolve);
        }
      }
    });
  }

  /** Counts the time of `wait` as time of its user, not as its own: `userTimeoutMs` becomes less. */
  inTimeOfUser<T>(wait: () => Promise<T>): Promise<T> {
    return this.waitsForUser.during(() => this.waits.during(wait));
  }

  /**
   * Waits while its user has paused it or taken over. Returns whether they had the browser since the last call, also where they have
   * returned it already. Throws `Abandoned`.
   */
  async waitWhileHeld(): Promise<boolean> {
    if ((await this.control()) !== 'none') await this.waitForRelease();
    const hasActed = this.hasUserActed;
    this.hasUserActed = false;
    return hasActed;
  }

  private async waitForRelease() {
    const timeoutMs = this.userTimeoutMs();
    const endsAt = performance.now() + timeoutMs;
    const heldUntil = new Date(this.deps.clock.now().getTime() + timeoutMs);
    const look = async () => {
      const control = await this.control();
      if (control !== 'none' && performance.now() >= endsAt) throw new Abandoned();
      return control === 'none' ? true : null;
    };
    await this.inTimeOfUser(async () => {
      await this.change({ heldUntil });
      await this.waitFor(look);
    });
    await this.change({ heldUntil: null });
  }

  private control(): Promise<Control> {
    const read = async () => {
      const control = (await selectRun(this.deps.database.sql, this.id))?.control ?? 'none';
      this.hasUserActed ||= control === 'taken_over';
      return control;
    };
    this.wanted = this.wanted.then(read, read);
    return this.wanted;
  }

  private async rest(woken: Promise<void>) {
    const { signal } = this.run;
    signal.throwIfAborted();
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, POLL_MS);
    const onAbort = () => resolve();
    signal.addEventListener('abort', onAbort, { once: true });
    await Promise.race([woken, promise]);
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    signal.throwIfAborted();
  }

  private screencast(isWanted: boolean) {
    if (!this.isOpen) return;
    this.deps.host.screencast(this.id, isWanted).catch((err) => {
      this.deps.log.debug({ err, messageId: this.id }, 'the live picture could not be switched');
    });
  }
}
