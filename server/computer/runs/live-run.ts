import type { Run } from '#server/chat/generation/run.ts';
import { publishFrame } from './publish-frame.ts';
import { publishRun } from './publish-run.ts';
import type { RunDeps } from './run-deps.ts';
import { type Control, type RunRow, selectRun, updateRun } from './run-store.ts';
import { Screen } from './screen.ts';

/** How long a run that waits for its user looks again when no notice comes. */
const POLL_MS = 1_000;

/** A run waits for its user for so many times the time of one answer in all; only once while others wait for a browser. */
const PATIENCE = 5;

/** A user did not answer in time, or left a run paused for too long: it ends. */
export class Abandoned extends Error {}

/** Time during which at least one waits, in milliseconds. */
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

/** One run of a browser in this process: what is known of it, and its waiting for its user. */
export class LiveRun {
  readonly run: Run;
  readonly screen: Screen;
  private readonly deps: RunDeps;
  private readonly areOthersWaiting: () => boolean;
  private shown: Pick<RunRow, 'state' | 'place' | 'url' | 'until'> = {
    state: 'queued',
    place: 1,
    url: '',
    until: null,
  };
  /** For its user and for its turn. */
  private readonly waits = new Waits();
  private readonly waitsForUser = new Waits();
  private readonly startedAt = performance.now();
  private readonly wakers = new Set<() => void>();
  /** It had to wait for its turn. */
  isQueued = false;
  private onEnd: (() => void)[] = [];
  /** The user acts in the browser now. */
  isTakenOver = false;

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

  /** Its own time, in milliseconds. */
  ownMs(): number {
    return performance.now() - this.startedAt - this.waits.ms;
  }

  /** How long its user may take now, in milliseconds: less each time, so that no one holds a browser for long. Throws `Abandoned`. */
  patienceMs(): number {
    const { answerMs } = this.deps.config.computer.timeouts;
    const patience = this.areOthersWaiting() ? 1 : PATIENCE;
    const left = patience * answerMs - this.waitsForUser.ms;
    if (left <= 0) throw new Abandoned();
    return Math.min(answerMs, left);
  }

  get isWaiting(): boolean {
    return this.waits.areSome;
  }

  /** Changes what its user sees of it. */
  async change(change: Partial<LiveRun['shown']>): Promise<void> {
    this.shown = { ...this.shown, ...change };
    await updateRun(this.deps.database.sql, this.id, this.shown);
    publishRun(this.deps.bus, this.id);
  }

  /** Calls `listener` when it is over. */
  whenOver(listener: () => void) {
    this.onEnd.push(listener);
  }

  /** It is over. */
  end() {
    publishRun(this.deps.bus, this.id);
    for (const listener of this.onEnd) listener();
  }

  /** Something of it changed in the tables. */
  wake() {
    for (const wake of this.wakers) wake();
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

  /** Has `wait` take the time of its user, not its own: `patienceMs` becomes less. */
  inTimeOfUser<T>(wait: () => Promise<T>): Promise<T> {
    return this.waitsForUser.during(() => this.waits.during(wait));
  }

  /** Waits while its user has paused it or taken over. Whether they acted in the browser meanwhile. Throws `Abandoned`. */
  async waitWhileHeld(): Promise<boolean> {
    let control = await this.control();
    if (control === 'none') return false;
    const patienceMs = this.patienceMs();
    const endsAt = performance.now() + patienceMs;
    const until = new Date(this.deps.clock.now().getTime() + patienceMs);
    let hasActed = false;
    const look = async () => {
      control = await this.control();
      this.isTakenOver = control === 'taken_over';
      hasActed ||= this.isTakenOver;
      if (control !== 'none' && performance.now() >= endsAt) throw new Abandoned();
      return control === 'none' ? true : null;
    };
    try {
      await this.inTimeOfUser(async () => {
        await this.change({ until });
        await this.waitFor(look);
      });
    } finally {
      this.isTakenOver = false;
    }
    await this.change({ until: null });
    return hasActed;
  }

  private async control(): Promise<Control> {
    return (await selectRun(this.deps.database.sql, this.id))?.control ?? 'none';
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
    if (this.shown.state === 'queued') return;
    this.deps.host.screencast(this.id, isWanted).catch((err) => {
      this.deps.log.debug({ err, messageId: this.id }, 'the live picture could not be switched');
    });
  }
}
