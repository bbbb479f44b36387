import { setTimeout as sleep } from 'node:timers/promises';
import type { BaseDeps } from '#server/base-deps.ts';
import { runAbout } from '#server/platform/telemetry/request-context.ts';
import { type FollowUps, generateFollowUps } from '../follow-ups/generate-follow-ups.ts';
import type { MessageRow } from '../message-store/store.ts';
import { generateTitles, type Titles } from '../titles/generate-titles.ts';
import type { GenerateRequest } from '../upstream/transport/upstream.ts';
import { answerMessage } from './answer-message.ts';
import { type Coalescer, createCoalescer } from './coalescer.ts';
import { deleteEvents } from './delete-events.ts';
import type { Feed } from './feed.ts';
import { Reaper } from './reaper.ts';
import { type FollowedMessage, publishEvents, RemoteFeeds } from './remote-feeds.ts';
import { Run, type RunHooks } from './run.ts';
import { createWriter, type Writer } from './writer.ts';

/** Topic of messages that a user asked to stop: `{ ids }`. */
export const STOPS_TOPIC = 'stops';
/** Sends under way at once; more would wait for nothing but connections. */
const MAX_SENDING = 1_000;

/** The answers that this process generates, and what it knows of those of others. Nothing is looked after before `start`. */
export class Generation {
  private accepting = true;
  private sending = 0;
  private readonly runs = new Map<string, Run>();
  private readonly deps: BaseDeps;
  private readonly coalescer: Coalescer;
  private readonly writer: Writer;
  private readonly remoteFeeds: RemoteFeeds;
  private readonly reaper: Reaper;
  private readonly eventCleanup: ReturnType<typeof deleteEvents>;
  private readonly titles: Titles;
  private readonly followUps: FollowUps;
  private readonly hooks: RunHooks;
  private readonly unsubscribe: () => void;
  private onIdle: (() => void) | undefined;

  constructor(deps: BaseDeps) {
    this.deps = deps;
    this.coalescer = createCoalescer(() => this.runs.size);
    this.writer = createWriter(deps.database.sql, deps.log, (ids) => publishEvents(deps.bus, ids));
    this.hooks = { onWaiting: this.coalescer.add, onEvent: this.writer.add };
    this.remoteFeeds = new RemoteFeeds(deps);
    this.reaper = new Reaper(deps, this.runs);
    this.eventCleanup = deleteEvents(deps);
    this.titles = generateTitles(deps);
    this.followUps = generateFollowUps(deps);
    this.unsubscribe = deps.bus.subscribe(STOPS_TOPIC, ({ ids }) => {
      if (Array.isArray(ids)) for (const id of ids) this.runs.get(id)?.stop('stopped');
    });
  }

  /** Answers running here. */
  get size() {
    return this.runs.size;
  }

  /** No message is let in any more. */
  get isStopping() {
    return !this.accepting;
  }

  /** Begins to look after the messages of this and of dead processes. */
  start() {
    this.reaper.start();
    this.eventCleanup.start();
  }

  /** Lets a message in that is about to be stored; false when it must be refused. `endSend` follows, stored or not. */
  beginSend(): boolean {
    if (!this.accepting || this.sending >= MAX_SENDING) return false;
    this.sending += 1;
    return true;
  }

  endSend() {
    this.sending -= 1;
    this.reportIdle();
  }

  /**
   * Starts the answer of a message that was just stored as running and owned by this instance. Returns at once. Without a request
   * the model is asked the message and what came before it in its conversation. An existing run means a PostgreSQL crash undid its
   * commit: its feed ends.
   */
  run(message: MessageRow, request: GenerateRequest | null = null): Run {
    const former = this.runs.get(message.id);
    former?.stop('lost');
    former?.feed.lose();
    const run = new Run(message, this.hooks, request);
    this.runs.set(message.id, run);
    this.followUps.cancel(message.conversationId);
    const { id: messageId, userId } = message;
    void runAbout({ messageId, userId }, () => this.answer(run));
    return run;
  }

  /** The run of a message, if this process has it. */
  find(messageId: string): Run | undefined {
    return this.runs.get(messageId);
  }

  /** The events of a message: this process's own, or a copy kept up with the log. */
  async follow(message: FollowedMessage): Promise<Feed> {
    return this.runs.get(message.id)?.feed ?? this.remoteFeeds.open(message);
  }

  /** The events of a message of the user, if this process has them already. */
  findFeed(userId: string, messageId: string): Feed | null {
    const run = this.runs.get(messageId);
    if (!run) return this.remoteFeeds.find({ id: messageId, userId });
    return run.message.userId === userId ? run.feed : null;
  }

  /** Refuses new messages, lets running answers go on for `deadlineMs`, then interrupts and releases the rest, user by user. */
  async drain(deadlineMs: number): Promise<void> {
    this.accepting = false;
    if (!this.isIdle()) {
      const timer = new AbortController();
      const idle = new Promise<void>((resolve) => {
        this.onIdle = resolve;
      });
      const timeout = sleep(deadlineMs, undefined, { signal: timer.signal }).catch(() => {});
      await Promise.race([idle, timeout]);
      timer.abort();
    }
    if (this.runs.size > 0) await this.interruptAll();
  }

  /** Stops every timer. */
  close() {
    this.unsubscribe();
    this.coalescer.close();
    this.writer.close();
    this.remoteFeeds.close();
    this.reaper.close();
    this.eventCleanup.close();
    this.titles.close();
    this.followUps.close();
  }

  private async answer(run: Run) {
    try {
      const ended = await answerMessage(this.deps, run);
      if (ended) this.considerAsides(ended);
    } catch (error) {
      const details = { err: error, messageId: run.message.id };
      this.deps.log.error(details, 'a run ended by a fault of ours; it will be released');
      run.feed.lose();
    }
    if (run.cut === 'interrupted') return;
    if (this.find(run.message.id) === run) this.runs.delete(run.message.id);
    this.reportIdle();
  }

  private considerAsides(ended: MessageRow) {
    this.titles.consider(ended);
    this.followUps.consider(ended);
  }

  private isIdle(): boolean {
    return this.runs.size === 0 && this.sending === 0;
  }

  private reportIdle() {
    if (this.isIdle()) this.onIdle?.();
  }

  private async interruptAll() {
    const { log } = this.deps;
    for (const run of this.runs.values()) {
      run.stop('interrupted');
      run.flush(true);
    }
    try {
      await this.writer.flush().catch((err) => log.error({ err }, 'the last events could not be logged'));
      await this.reaper.interrupt([...this.runs.values()].map(({ message }) => message));
    } catch (err) {
      log.error({ err, runs: this.runs.size }, 'running answers could not be released; another process will');
    }
    for (const run of this.runs.values()) if (!run.feed.ending) run.feed.lose();
    this.runs.clear();
  }
}

/** Makes the generation of this process over its other dependencies. */
export function createGeneration(deps: BaseDeps): Generation {
  return new Generation(deps);
}
