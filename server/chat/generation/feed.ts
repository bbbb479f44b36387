import type { Language } from '#contract/choices.ts';
import type { AnswerPart } from '#contract/message/parts.ts';
import { sseFrame } from '#server/platform/sse.ts';
import { presentMessage } from '../message-store/present.ts';
import type { MessageRow } from '../message-store/store.ts';

/** One event of an answer; `data` is JSON text. */
export interface FeedEvent {
  readonly type: string;
  readonly data: string;
}

/** A piece of the answer or of the model's thinking. A running answer has many: they keep their text alone, and make the JSON each time. */
export class PieceEvent implements FeedEvent {
  readonly type: 'text' | 'reasoning';
  readonly text: string;

  constructor(type: PieceEvent['type'], text: string) {
    this.type = type;
    this.text = text;
  }

  get data(): string {
    return JSON.stringify({ text: this.text });
  }
}

/** A part of the answer that is neither text nor thinking. */
export class PartEvent implements FeedEvent {
  readonly type = 'part';
  readonly part: Exclude<AnswerPart, { kind: PieceEvent['type'] }>;
  readonly data: string;

  constructor(part: PartEvent['part']) {
    this.part = part;
    this.data = JSON.stringify({ part });
  }
}

/** Events whose frames are kept together once all of them are there. */
const BLOCK = 512;

/**
 * The numbered events of one message as followers of this process see them: `events[n]` is number n + 1, the `end` event
 * comes after the last.
 */
export class Feed {
  readonly events: FeedEvent[] = [];
  /** The ended message; null while it runs. */
  ending: MessageRow | null = null;
  /**
   * True when the log was deleted: the feed has one event with the whole text, and its number is not comparable with earlier event
   * numbers.
   */
  isWhole = false;
  /** True when no more events come and this process does not know why: followers must connect again. */
  isLost = false;
  private readonly watchers = new Set<() => void>();
  private readonly endFrames = new Map<string, Buffer>();
  private readonly blocks: Buffer[] = [];
  private readonly onIdle: () => void;

  constructor(onIdle: () => void = () => {}) {
    this.onIdle = onIdle;
  }

  /** Calls `watcher` after every change, until the returned function is called. */
  watch(watcher: () => void): () => void {
    this.watchers.add(watcher);
    return () => {
      if (this.watchers.delete(watcher) && this.watchers.size === 0) this.onIdle();
    };
  }

  /**
   * The frames of the events after the first `seen`, up to the end of a block, and how many are seen then; null: there are none yet.
   * A whole block is made once for all readers, so that a thousand of them cost little more than one.
   */
  framesAfter(seen: number): { frames: string | Buffer; seen: number } | null {
    if (seen >= this.events.length) return null;
    const index = Math.floor(seen / BLOCK);
    const end = Math.min(this.events.length, (index + 1) * BLOCK);
    if (seen > index * BLOCK || end - seen < BLOCK) return { frames: this.makeFrames(seen, end), seen: end };
    this.blocks[index] ??= Buffer.from(this.makeFrames(seen, end));
    return { frames: this.blocks[index], seen: end };
  }

  private makeFrames(from: number, to: number): string {
    let frames = '';
    for (let seq = from + 1; seq <= to; seq += 1) {
      const event = this.events[seq - 1];
      if (event) frames += sseFrame(event.type, event.data, seq);
    }
    return frames;
  }

  /** Adds the next events. Watchers are called once, which matters where a whole answer comes and many readers wait for it. */
  append(events: Iterable<FeedEvent>) {
    for (const event of events) this.events.push(event);
    this.notify();
  }

  end(message: MessageRow) {
    if (this.ending) return;
    this.ending = message;
    this.notify();
  }

  lose() {
    this.isLost = true;
    this.notify();
  }

  /** The `end` event for readers of a language, as bytes that all of them share; null while the message runs. */
  endFrame(language: Language, seq: number): Buffer | null {
    if (!this.ending) return null;
    const key = `${language}:${seq}`;
    const known = this.endFrames.get(key);
    if (known) return known;
    const shown = JSON.stringify({ message: presentMessage(this.ending, language) });
    const frame = Buffer.from(sseFrame('end', shown, seq));
    if (this.endFrames.size < 4) this.endFrames.set(key, frame);
    return frame;
  }

  private notify() {
    for (const watcher of this.watchers) watcher();
  }
}
