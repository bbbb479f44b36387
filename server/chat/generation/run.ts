import type { NoticeCode } from '#contract/chat.ts';
import type { AnswerPart } from '#contract/message/parts.ts';
import type { ProviderUse } from '#server/catalogue/provider-cost-rules.ts';
import { cleanText, cleanTexts, isHighSurrogate } from '#server/platform/clean-text.ts';
import { joinParts, type UpstreamFault } from '../message-store/message-parts.ts';
import type { MessageRow } from '../message-store/store.ts';
import type { AnswerMetadata, GenerateRequest } from '../upstream/transport/upstream.ts';
import { Feed, type FeedEvent, PartEvent, PieceEvent } from './feed.ts';
import { ThinkingTime } from './thinking-time.ts';

/** More text than any model writes: an upstream that goes on is cut off. In UTF-16 code units. */
export const MAX_ANSWER = 2_000_000;

/** Why a run is ended before its upstream says so. `lost`: another process has ended the message already. */
export type CutCause = 'stopped' | 'interrupted' | 'lost' | 'too_long';

export interface RunHooks {
  /** Text waits to be merged with what follows. */
  onWaiting(run: Run): void;
  /** An event was made that the log does not have yet. */
  onEvent(run: Run): void;
}

/** A message being answered by this process. Text comes in as the upstream sends it and goes out as numbered events. */
export class Run {
  readonly message: MessageRow;
  /** What the model is asked; null: the message and what came before it in its conversation. */
  readonly request: GenerateRequest | null;
  readonly feed = new Feed();
  readonly signal: AbortSignal;
  contextTrimmed = false;
  upstreamSwitched = false;
  /** Milliseconds from the beginning to the first text. */
  firstTextMs: number | null = null;
  cut: CutCause | null = null;
  /** What went wrong at the provider. */
  fault: UpstreamFault | null = null;
  /** The question was handed to an upstream. */
  isAsked = false;
  /** An action was handed to the browser, whatever came of it. */
  hasActed = false;
  /** The upstream is done with and the end is being stored. */
  isClosing = false;
  /** What its requests to providers consumed so far. */
  readonly uses: ProviderUse[] = [];
  readonly startedAt = performance.now();
  private readonly controller = new AbortController();
  private readonly hooks: RunHooks;
  private waitingType: 'text' | 'reasoning' = 'text';
  private waitingText = '';
  private lastEventAt = Number.NEGATIVE_INFINITY;
  private readonly thinking = new ThinkingTime(this.startedAt);
  private size = 0;
  /** Nothing but text has come, as of most answers. */
  private isTextOnly = true;
  /** How many events the log has. */
  private logSize = 0;

  constructor(message: MessageRow, hooks: RunHooks, request: GenerateRequest | null = null) {
    this.message = message;
    this.request = request;
    this.hooks = hooks;
    this.signal = this.controller.signal;
  }

  /** The answer so far, as the events say it. */
  get text(): string {
    return this.feed.events.map((event) => (isAnswer(event) ? event.text : '')).join('');
  }

  /** The answer so far in its parts. */
  get parts(): AnswerPart[] {
    if (this.isTextOnly) return [{ kind: 'text', text: this.text }];
    const parts = joinParts(
      this.feed.events.flatMap((event): AnswerPart[] => {
        if (event instanceof PieceEvent) return [{ kind: event.type, text: event.text }];
        return event instanceof PartEvent ? [event.part] : [];
      }),
    );
    return this.thinking.writeTo(parts);
  }

  /** Whether the model sent text, thoughts or another part. */
  get hasPieces(): boolean {
    return this.feed.events.some((event) => event instanceof PieceEvent || event instanceof PartEvent);
  }

  /** Takes a piece of the answer or of the model's thinking. */
  add(type: 'text' | 'reasoning', piece: string) {
    if (this.cut) return;
    this.size += piece.length;
    if (this.size > MAX_ANSWER) return this.stop('too_long');
    if (type !== this.waitingType) this.flush(true);
    this.waitingType = type;
    this.waitingText += piece;
    if (type === 'text' && this.firstTextMs === null) this.flush(false);
    if (this.waitingText !== '') this.hooks.onWaiting(this);
  }

  /** Milliseconds since the last event. */
  quietMs(now: number): number {
    return now - this.lastEventAt;
  }

  /** Turns waiting text into an event; `all`: even half a character, because nothing follows. */
  flush(all: boolean) {
    let text = this.waitingText;
    this.waitingText = '';
    if (!all && isHighSurrogate(text.charCodeAt(text.length - 1))) {
      this.waitingText = text.slice(-1);
      text = text.slice(0, -1);
    }
    text = cleanText(text);
    if (text === '') return;
    if (this.waitingType === 'text') this.firstTextMs ??= Math.round(performance.now() - this.startedAt);
    this.emit(new PieceEvent(this.waitingType, text));
  }

  /** Takes a part of the answer that is neither text nor thinking. After a stop only sources are taken. */
  addPart(part: PartEvent['part']) {
    if (this.cut && !(this.cut === 'stopped' && part.kind === 'sources')) return;
    const event = new PartEvent(cleanTexts(part));
    this.size += event.data.length;
    if (this.size > MAX_ANSWER) return this.stop('too_long');
    this.flush(true);
    this.emit(event);
  }

  /** Sends followers a notice about the answer. */
  notice(code: NoticeCode) {
    this.flush(true);
    if (code === 'upstream_switched') this.upstreamSwitched = true;
    this.emit({ type: 'notice', data: JSON.stringify({ code }) });
  }

  /** More was paid for while it runs. */
  reprice({ cost, input }: Pick<MessageRow, 'cost' | 'input'>) {
    Object.assign(this.message, { cost, input });
  }

  /** Aborts the upstream. Only the first cause counts. */
  stop(cause: CutCause) {
    if (this.cut) return;
    this.cut = cause;
    this.controller.abort();
  }

  /** The number of the first event that the log does not have. */
  get firstUnlogged(): number {
    return this.logSize + 1;
  }

  /** The events that the log does not have, as a JSON array of [type, data]; null without any. */
  unloggedEvents(): string | null {
    const unlogged = this.feed.events.slice(this.logSize).map(({ type, data }) => `["${type}",${data}]`);
    return unlogged.length > 0 ? `[${unlogged.join(',')}]` : null;
  }

  /** The log has everything up to event `seq`. */
  logged(seq: number) {
    this.logSize = Math.max(this.logSize, seq);
  }

  private emit(event: FeedEvent) {
    this.lastEventAt = performance.now();
    if (event.type === 'part' || event.type === 'reasoning') this.isTextOnly = false;
    if (event.type !== 'notice') this.thinking.note(event.type === 'reasoning', this.lastEventAt);
    this.feed.append([event]);
    this.hooks.onEvent(this);
  }
}

/** What a browser run came to. */
export interface DrivenAnswer {
  /** Null where it ended before the model was asked. */
  metadata: AnswerMetadata | null;
  /** Its user did not answer in time what it asked: it ends as if it was stopped. */
  isAbandoned: boolean;
}

/** Drives browsers for messages: what chat knows of the domain `computer`, which stands to its right. */
export interface BrowserDriver {
  /** Whether a browser and a model for it are to be had now. */
  isReady(): boolean;
  /** Whether a browser runs, or waits to, for the user: one at a time. */
  isBusy(userId: string): Promise<boolean>;
  /**
   * Answers a message by driving a browser; `request` is what the model is asked. Rejects as `Upstream.stream`, and with
   * `browser_failed` or `computer_busy`.
   */
  drive(run: Run, request: GenerateRequest): Promise<DrivenAnswer>;
}

function isAnswer(event: FeedEvent): event is PieceEvent {
  return event instanceof PieceEvent && event.type === 'text';
}
