import type { FinishReason, TokenUsage } from '#contract/chat.ts';
import { cleanName, limitText } from '#server/platform/clean-text.ts';
import type { CallDeadline } from './call-deadline.ts';
import { KeptLines, type KeptParts } from './kept-parts.ts';
import { readCode } from './provider-refusal.ts';
import type { AnswerMetadata, GenerateRequest, GenerateResult, UpstreamPart } from './upstream.ts';
import { UpstreamError } from './upstream-error.ts';

/** Longer than any model answers, in UTF-16 units: a stream without an end must not fill the memory. */
const MAX_ANSWER = 4_000_000;
/** Bytes of all pictures of one answer: twice the largest that a model was seen to make. */
const MAX_PICTURES = 67_108_864;
/** Of the name of a version: a relay may send any text, and it is stored and shown. */
const MAX_VERSION = 200;
const VISIBLE = /[^\s\u200b-\u200d\u2060\ufeff]/;
/** Tokens that a model reads and writes for one request: more than any can. */
const MAX_TOKENS = 10_000_000;

/**
 * Why an answer ended, in no provider's words. `continued`: its provider stopped in the midst and gave a token, with which the next
 * request goes on. `other`: nothing that may be taken for success.
 */
export type FinishKind = 'stop' | 'length' | 'blocked' | 'continued' | 'other';

const FINISH_REASONS: Record<FinishKind, FinishReason | null> = {
  stop: 'stop',
  length: 'length',
  continued: 'length',
  blocked: 'content_filter',
  other: null,
};

export interface AnswerSink {
  onText(text: string): void;
  onReasoning(text: string): void;
  onPart(part: UpstreamPart): void;
  /** The first piece of the answer is about to be handed over. */
  onFirst(): void;
}

/** A count of tokens as a provider sends it, or null when it cannot be one. */
export function readTokenCount(value: unknown): number | null {
  const isCount = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_TOKENS;
  return isCount ? value : null;
}

function sumUsage(before: TokenUsage | null, now: TokenUsage | null): TokenUsage | null {
  if (!before || !now) return now ?? before;
  return {
    inputTokens: before.inputTokens + now.inputTokens,
    outputTokens: before.outputTokens + now.outputTokens,
    reasoningTokens: before.reasoningTokens + now.reasoningTokens,
    cachedInputTokens: before.cachedInputTokens + now.cachedInputTokens,
  };
}

/** How many calls an answer may make: none where nothing was offered, one where one at a time was asked for. */
export function maxCallsOf({ tools = {} }: GenerateRequest): number {
  const { functions = [], browser, parallel } = tools;
  if (functions.length === 0 && !browser) return 0;
  return parallel === false ? 1 : Number.POSITIVE_INFINITY;
}

/** Whether these bytes are exactly this text in Base64, tested without encoding megabytes of it again. */
function isPlainBase64(text: string, bytes: Buffer): boolean {
  const isWhole =
    text.length === Math.ceil(bytes.length / 3) * 4 && !text.includes('-') && !text.includes('_');
  const last = bytes.subarray(Math.floor((bytes.length - 1) / 3) * 3).toString('base64');
  return isWhole && bytes.length > 0 && text.endsWith(last);
}

/** Gathers one answer from the events of its stream, and hands its text on once for each packet. */
export class AnswerReader {
  private readonly sink: AnswerSink;
  private readonly deadline: CallDeadline;
  private readonly route: Pick<KeptParts, 'dialect' | 'model'>;
  private text = '';
  private reasoning = '';
  private length = 0;
  private hasContent = false;
  private calls = 0;
  private parts: UpstreamPart[] = [];
  private earlierUsage: TokenUsage | null = null;
  private usage: TokenUsage | null = null;
  started = false;
  /** As its provider names it, which may be any text. */
  modelVersion: string | null = null;
  finish: { kind: FinishKind; vendor: string } | null = null;
  /** How many web searches the provider reports. */
  searches = 0;
  /** Output tokens of pictures, where the provider reports them. */
  pictureTokens: number | null = null;
  /** Most calls of the answer: not every provider keeps to the limit, and further calls are left out. */
  maxCalls = Number.POSITIVE_INFINITY;
  /** A finish was read, and nothing was written since. */
  private isOver = false;
  private pictures = 0;
  private pictureBytes = 0;
  /** The parts as the provider wrote them. */
  readonly kept = new KeptLines();

  constructor(route: Pick<KeptParts, 'dialect' | 'model'>, sink: AnswerSink, deadline: CallDeadline) {
    this.route = route;
    this.sink = sink;
    this.deadline = deadline;
  }

  addText(piece: string) {
    if (piece === '') return;
    if (this.parts.length > 0) this.flush();
    this.text += piece;
    if (!this.hasContent) this.hasContent = VISIBLE.test(piece);
    this.grow(piece.length);
  }

  addReasoning(piece: string) {
    if (piece === '') return;
    if (this.text !== '' || this.parts.length > 0) this.flush();
    this.reasoning += piece;
    this.grow(piece.length);
  }

  get takesCall(): boolean {
    return this.calls < this.maxCalls;
  }

  /** Adds a part of another kind, behind the text so far. Sources alone are no answer. */
  addPart(part: UpstreamPart) {
    this.parts.push(part);
    if (part.kind === 'sources') return;
    if (part.kind === 'call') this.calls += 1;
    this.hasContent = true;
    this.grow(part.kind === 'picture' ? 0 : JSON.stringify(part).length);
  }

  /** Adds a picture with its part as the provider wrote it; null where that is not known. */
  addPicture(base64: string, json: string | null) {
    const data = Buffer.from(base64, 'base64');
    this.pictureBytes += data.length;
    if (this.pictureBytes > MAX_PICTURES)
      throw new UpstreamError('parse', 'the pictures are larger than any model makes');
    const n = this.pictures;
    this.pictures += 1;
    this.kept.addPicture(n, json, isPlainBase64(base64, data) ? base64 : null);
    this.addPart({ kind: 'picture', n, data });
  }

  /** What is collected until it is whole is being written: the time for a first token is over. */
  begin() {
    this.grow(0);
  }

  /** Throws where the answer is too long, the collected text that is not passed on yet included. */
  limitLength(gathered: number) {
    if (this.length + gathered > MAX_ANSWER)
      throw new UpstreamError('parse', 'the answer is longer than any model writes');
  }

  private grow(length: number) {
    this.length += length;
    this.limitLength(0);
    if (!this.started || this.isOver) this.deadline.enter('idle');
    this.isOver = false;
    if (this.started) return;
    this.started = true;
    this.sink.onFirst();
  }

  /** Passes on the content of this packet: thinking, text, other parts. Content that would break this order flushes first. */
  flush() {
    const { text, reasoning, parts } = this;
    this.text = '';
    this.reasoning = '';
    if (reasoning !== '') this.sink.onReasoning(reasoning);
    if (text !== '') this.sink.onText(text);
    if (parts.length === 0) return;
    this.parts = [];
    for (const part of parts) this.sink.onPart(part);
  }

  /** Takes the last plausible usage; providers send sums. No request has no input: zeros mean that the count is missing. */
  setUsage({ inputTokens, outputTokens, reasoningTokens, cachedInputTokens }: TokenUsage) {
    if (inputTokens === 0 || inputTokens + outputTokens > MAX_TOKENS) return;
    this.usage = {
      inputTokens,
      outputTokens,
      reasoningTokens: Math.min(reasoningTokens, outputTokens),
      cachedInputTokens: Math.min(cachedInputTokens, inputTokens),
    };
  }

  /**
   * The first finish counts. From now on only usage and the end of the body are waited for, until more text comes: some providers say with
   * each event that it is over.
   */
  setFinish(kind: FinishKind, vendor: string) {
    this.finish ??= { kind, vendor: readCode(vendor) ?? 'unknown' };
    if (this.isOver) return;
    this.isOver = true;
    this.deadline.enter('closing');
  }

  /** Whether its provider has said how it ended, has written nothing since, and is asked for nothing more. */
  get isComplete(): boolean {
    return this.isOver && this.finish?.kind !== 'continued';
  }

  /** Begins another request for the same answer. */
  continue() {
    this.earlierUsage = sumUsage(this.earlierUsage, this.usage);
    this.usage = null;
    this.finish = null;
    this.isOver = false;
  }

  metadata(): AnswerMetadata {
    return {
      modelVersion: limitText(cleanName(this.modelVersion ?? ''), MAX_VERSION) || null,
      upstreamModel: this.route.model,
      usage: sumUsage(this.earlierUsage, this.usage),
      finishReason: this.finish && FINISH_REASONS[this.finish.kind],
      searches: this.searches,
      pictureTokens: this.pictureTokens,
      kept: this.finish && this.kept.end(this.route),
    };
  }

  /** The metadata of an answer whose stream has ended. Throws when the answer is incomplete. */
  conclude(): GenerateResult {
    const { finish } = this;
    if (!finish) throw new UpstreamError('truncated', 'the stream ended before the answer did');
    const details = { vendorCode: finish.vendor };
    if (finish.kind === 'other')
      throw new UpstreamError('model_error', `the model gave up (${finish.vendor})`, details);
    if (finish.kind === 'blocked')
      throw new UpstreamError('blocked', `the answer was blocked (${finish.vendor})`, details);
    if (!this.hasContent)
      throw new UpstreamError('empty', `the answer says nothing (${finish.vendor})`, details);
    return { ...this.metadata(), finishReason: finish.kind === 'stop' ? 'stop' : 'length' };
  }
}
