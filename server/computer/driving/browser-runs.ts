import type { ComputerInput } from '#contract/message/computer.ts';
import { missingSettingOf } from '#server/catalogue/rules.ts';
import { BROWSER_CHAIN } from '#server/catalogue/upstream-chains.ts';
import type { BrowserDriver, DrivenAnswer, Run } from '#server/chat/generation/run.ts';
import type { GenerateRequest } from '#server/chat/upstream/transport/upstream.ts';
import { AppError } from '#server/errors.ts';
import { createHostClient } from '../client/host-client.ts';
import { LiveRun } from '../runs/live-run.ts';
import { publishRun, RUNS_TOPIC } from '../runs/publish-run.ts';
import type { RunDeps } from '../runs/run-deps.ts';
import { deleteRun, hasRun, insertRun } from '../runs/run-store.ts';
import { BrowserQueue } from './browser-queue.ts';
import { Drive } from './drive.ts';
import { openBrowser } from './open-browser.ts';
import { takePageTables } from './take-page-tables.ts';

/** The browsers that models of this process drive. Nothing is started before `start`. */
export class BrowserRuns implements BrowserDriver {
  private readonly deps: RunDeps;
  private readonly queue: BrowserQueue;
  private readonly live = new Map<string, LiveRun>();
  private readonly unsubscribe: () => void;
  private areWallsProved = false;

  constructor(deps: RunDeps) {
    this.deps = deps;
    this.queue = new BrowserQueue(deps.config.computer.host.runs);
    this.unsubscribe = deps.bus.subscribe(RUNS_TOPIC, ({ id, what, input }) => {
      const run = this.live.get(String(id));
      if (!run) return;
      if (what === 'watched') run.screen.watchRemotely();
      else if (what === 'input' && typeof input === 'string') void this.type(run, JSON.parse(input));
      else if (what === 'changed') run.wake();
    });
  }

  /** Runs of this process, and those among them that wait for their turn. */
  get counts(): { runs: number; queued: number } {
    return { runs: this.live.size, queued: this.queue.waiting };
  }

  /** Asks the host whether its walls are proved; until they are no browser is driven. Never rejects. */
  async start(): Promise<void> {
    const { config, log, host } = this.deps;
    if (!config.computer.isOn || this.areWallsProved) return;
    try {
      const { state, reason, walls, browser } = await host.probe();
      this.areWallsProved = state === 'ready';
      if (this.areWallsProved) log.info({ walls, browser }, 'a browser can be driven');
      else log.warn({ reason }, 'no browser is driven: its walls are not proved');
    } catch (err) {
      log.warn({ err }, 'no browser is driven: its host does not answer');
    }
  }

  async stop(): Promise<void> {
    this.unsubscribe();
    await this.deps.host.stop();
  }

  isReady(): boolean {
    return this.areWallsProved && missingSettingOf(BROWSER_CHAIN, this.deps.config.upstream.chains) === null;
  }

  isBusy(userId: string): Promise<boolean> {
    return hasRun(this.deps.database.sql, userId);
  }

  /** The run of a message, if this process has it. */
  find(messageId: string): LiveRun | undefined {
    return this.live.get(messageId);
  }

  /** Passes a user's input to their browser, whichever process runs it. */
  send(messageId: string, input: ComputerInput) {
    const run = this.live.get(messageId);
    if (run) void this.type(run, input);
    else this.deps.bus.publish(RUNS_TOPIC, { id: messageId, what: 'input', input: JSON.stringify(input) });
  }

  async drive(run: Run, request: GenerateRequest): Promise<DrivenAnswer> {
    const { database, bus, metrics } = this.deps;
    const { id, userId } = run.message;
    if (!(await insertRun(database.sql, id, userId))) throw new AppError('computer_busy');
    const live = new LiveRun(this.deps, run, () => this.queue.waiting > 0);
    this.live.set(id, live);
    publishRun(bus, id);
    let outcome = 'failed';
    try {
      const answer = await this.driveInTurn(live, request);
      outcome = answer.isAbandoned ? 'abandoned' : 'finished';
      return answer;
    } finally {
      metrics.computerRuns.inc({ outcome: run.cut ?? outcome });
      this.live.delete(id);
      live.screen.close();
      await deleteRun(database.sql, id).catch((err) =>
        this.deps.log.warn(
          { err, messageId: id },
          'a run that is over is still noted; it goes with its message',
        ),
      );
      live.end();
    }
  }

  private async driveInTurn(live: LiveRun, request: GenerateRequest): Promise<DrivenAnswer> {
    const { signal } = live.run;
    const release = await live.waitFor(() => this.queue.take(signal, (place) => this.showPlace(live, place)));
    const drive = new Drive(this.deps, live, request);
    try {
      await live.queue(null);
      const aborted = rejectAt(signal);
      await live.waitFor(() => Promise.race([this.open(live, drive), aborted]));
      await live.queue(null);
      live.isOpen = true;
      live.screen.refresh();
      const answer = await drive.run();
      if (drive.hasStepped && !answer.isAbandoned) await takePageTables(this.deps, live, drive.secrets);
      return answer;
    } finally {
      const closed = this.deps.host.close(live.id).catch((err) => {
        this.deps.log.warn({ err, messageId: live.id }, 'a browser could not be closed; its host ends it');
      });
      // One that still starts is closed once it has; who stopped the run does not wait for that.
      if (live.isOpen) await closed;
      void closed.then(release);
    }
  }

  private async open(live: LiveRun, drive: Drive): Promise<true | null> {
    const opened = await openBrowser(this.deps, live, drive);
    if (opened === 'off') this.areWallsProved = false;
    if (opened === 'off') throw new AppError('browser_failed');
    if (opened === 'open') return true;
    await live.queue(1);
    return null;
  }

  private showPlace(live: LiveRun, place: number) {
    live.queue(place).catch((err) => {
      this.deps.log.debug({ err, messageId: live.id }, 'the place of a run could not be noted');
    });
  }

  /** Passes the input to the browser at once, which executes one after the other. Never rejects. */
  private async type(live: LiveRun, input: ComputerInput): Promise<void> {
    try {
      if (!(await live.isTakenOver())) return;
      await this.deps.host.input(live.id, input);
      live.recordInput();
    } catch (err) {
      this.deps.log.debug({ err, messageId: live.id }, 'what a user did in a browser did not arrive');
    }
  }
}

function rejectAt(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Makes the browsers of this process over its other dependencies. */
export function createBrowserRuns(deps: Omit<RunDeps, 'host'>): BrowserRuns {
  return new BrowserRuns({ ...deps, host: createHostClient(deps.config.computer.host, deps.log) });
}
