import type { ServerResponse } from 'node:http';
import type { ComputerState, ScreenEvent } from '#contract/message/computer.ts';
import type { Deps } from '#server/deps.ts';
import { type SseHandlers, type SseStream, sseFrame } from '#server/platform/sse.ts';
import { VIEWPORT } from '../host/protocol.ts';
import { selectFrame } from '../runs/frame-store.ts';
import { RUNS_TOPIC } from '../runs/publish-run.ts';
import { isMessageRunning, presentRun, selectRun } from '../runs/run-store.ts';

type ScreenDeps = Pick<Deps, 'database' | 'bus' | 'log' | 'computer'>;

/** Screens that one user may watch at once. */
const MAX_SCREENS = 4;
/** How often the process that has a run is notified that a user watches here, and how often the run is looked at without a notice. */
const WATCH_MS = 5_000;

/** Counts one more watcher of the user's runs until its response closes. Throws `too_many_streams`. */
export function admitWatcher({ sse }: Pick<Deps, 'sse'>, userId: string, outgoing: ServerResponse): void {
  sse.admit(outgoing, `screens ${userId}`, MAX_SCREENS);
}

/**
 * Sends the pictures of a run and its state to one reader, from its beginning to its end or that of the reader. Pictures are not kept: of
 * those that the reader was too slow for, the last one is sent. The run may be another process's: its pictures come through the
 * database then, a few a second.
 */
export function followScreen(
  deps: ScreenDeps,
  messageId: string,
  open: (handlers: SseHandlers) => SseStream,
): void {
  new Follower(deps, messageId, open).look();
}

class Follower {
  private readonly deps: ScreenDeps;
  private readonly messageId: string;
  private readonly stream: SseStream;
  private readonly closers: (() => void)[] = [];
  private isAttached = false;
  private isBehind = false;
  /** The newest picture that the reader was too slow for. */
  private left: string | null = null;
  private sent = '';
  private seen = 0;
  private looking: Promise<void> | null = null;
  private looksAgain = false;

  constructor(deps: ScreenDeps, messageId: string, open: (handlers: SseHandlers) => SseStream) {
    this.deps = deps;
    this.messageId = messageId;
    this.stream = open({
      onDrain: () => {
        this.isBehind = false;
        const { left } = this;
        if (left !== null) this.show(left);
      },
      onClose: () => {
        for (const close of this.closers.splice(0)) close();
      },
    });
    if (!this.stream.isOpen) return;
    this.closers.push(deps.bus.subscribe(RUNS_TOPIC, ({ id, what }) => this.onNews(id, what)));
    const timer = setInterval(() => this.keepWatching(), WATCH_MS).unref();
    this.closers.push(() => clearInterval(timer));
    this.attach();
    this.keepWatching();
  }

  /** Sends the state where it has changed, and ends with the run. Never rejects. */
  look() {
    this.looksAgain = true;
    this.looking ??= this.lookWhileNeeded()
      .catch((err) => this.deps.log.warn({ err }, 'the state of a run could not be read; trying again'))
      .finally(() => {
        this.looking = null;
      });
  }

  private async lookWhileNeeded() {
    while (this.looksAgain) {
      this.looksAgain = false;
      const { sql } = this.deps.database;
      const row = await selectRun(sql, this.messageId);
      this.attach();
      // Before its run begins, a conversation may have to be shortened for its model, which takes seconds.
      const isToCome = row === null && this.sent === '' && (await isMessageRunning(sql, this.messageId));
      if (!isToCome) this.tell(presentRun(row, VIEWPORT));
    }
  }

  /** Watches the run where it is one of this process. */
  private attach() {
    const live = this.deps.computer.find(this.messageId);
    if (!live || this.isAttached || !this.stream.isOpen) return;
    this.isAttached = true;
    this.closers.push(live.screen.watch((jpeg) => this.show(jpeg)));
  }

  private tell(state: ComputerState) {
    const text = JSON.stringify(state);
    if (text !== this.sent) this.stream.write(frameOf({ type: 'state', data: state }));
    this.sent = text;
    if (state.state === 'ended') this.stream.end();
  }

  private show(jpeg: string) {
    this.left = this.isBehind ? jpeg : null;
    if (this.isBehind || !this.stream.isOpen) return;
    this.isBehind = !this.stream.write(Buffer.from(frameOf({ type: 'frame', data: { jpeg } })));
  }

  private onNews(id: unknown, what: unknown) {
    if (id !== this.messageId) return;
    if (what === 'changed') this.look();
    if (what === 'frame' && !this.deps.computer.find(this.messageId)) void this.fetchFrame();
  }

  private async fetchFrame() {
    const frame = await selectFrame(this.deps.database.sql, this.messageId, this.seen).catch(() => null);
    if (!frame || frame.n <= this.seen) return;
    this.seen = frame.n;
    this.show(frame.jpeg);
  }

  private keepWatching() {
    this.look();
    if (!this.deps.computer.find(this.messageId))
      this.deps.bus.publish(RUNS_TOPIC, { id: this.messageId, what: 'watched' });
  }
}

function frameOf({ type, data }: ScreenEvent): string {
  return sseFrame(type, JSON.stringify(data));
}
