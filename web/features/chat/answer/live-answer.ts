import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { AnswerEvent, Message, NoticeCode } from '#contract/chat.ts';
import { ApiError } from '#web/lib/api.ts';
import type { ServerEvent } from '#web/lib/events/event-stream.ts';
import { followEvents } from '#web/lib/events/follow-events.ts';
import { takeStream } from '../messages/kept-streams.ts';
import { messagesKey, putMessage } from '../messages/message-cache.ts';
import type { PlacedPart } from './parts/read-parts.ts';

/** What is known of a running answer. */
export interface AnswerState {
  text: string;
  reasoning: string;
  parts: readonly PlacedPart[];
  /** How long it thought before its first word, in milliseconds; null while that is not known. */
  thoughtMs: number | null;
  notices: readonly NoticeCode[];
  /** The connection is down; the answer goes on at the server. */
  lost: boolean;
}

interface Handlers {
  onEnd(message: Message): void;
  /** The server refuses to send more (signed out, not ours): nothing further will come. */
  onRefused(error: ApiError): void;
}

/** What comes within so long of each other was there before it was asked for. */
const AT_ONCE_MS = 300;

/** 20 to 25 draws a second, which cost half of 60 (decision 138). */
const DRAWN_EVERY_MS = 40;

/** Calls back before a frame is drawn. */
type Schedule = (callback: () => void) => void;

/** Calls back before the next frame that is `DRAWN_EVERY_MS` after the last one that it called back for. */
function limitDraws(): Schedule {
  let drawnAt = Number.NEGATIVE_INFINITY;
  return (callback) => {
    const draw = () =>
      requestAnimationFrame((now) => {
        drawnAt = now;
        callback();
      });
    const wait = drawnAt + DRAWN_EVERY_MS - performance.now();
    if (wait > 0) setTimeout(draw, wait);
    else draw();
  };
}

/**
 * A running answer as it arrives. Deltas are gathered and reported by draws, so that a fast answer costs no more of them than a slow
 * one; its event numbers must grow by one, so that no reconnection loses or repeats a word.
 */
export class LiveAnswer {
  private state: AnswerState = {
    text: '',
    reasoning: '',
    parts: [],
    thoughtMs: null,
    notices: [],
    lost: false,
  };
  private reported: AnswerState = this.state;
  private lastId = 0;
  private thoughtSince = 0;
  private scheduled = false;
  private readonly listeners = new Set<() => void>();
  private readonly messageId: string;
  private readonly askedAt: number;
  private readonly schedule: Schedule;

  /** `askedAt`: when its question was sent, in epoch milliseconds. */
  constructor(messageId: string, askedAt: number, schedule: Schedule = limitDraws()) {
    this.messageId = messageId;
    this.askedAt = askedAt;
    this.schedule = schedule;
  }

  /** For `useSyncExternalStore`. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** The state as last reported; changes identity only when the listeners are called. */
  readonly snapshot = (): AnswerState => this.reported;

  /** Follows until the end, or until the function it returns is called; a later call goes on where this one stopped. */
  follow({ onEnd, onRefused }: Handlers): () => void {
    const controller = new AbortController();
    followEvents(`/api/messages/${this.messageId}/events`, {
      signal: controller.signal,
      first: takeStream(this.messageId),
      resumeAfter: () => (this.lastId === 0 ? '' : String(this.lastId)),
      onOpen: () => this.setLost(false),
      onLost: () => this.setLost(true),
      onEvent: (event) => this.receive(event, onEnd),
    }).catch((error: unknown) => {
      if (error instanceof ApiError) onRefused(error);
      else throw error;
    });
    return () => controller.abort();
  }

  /** Takes one event of the stream. */
  receive(
    { id, event, data }: ServerEvent,
    onEnd: (message: Message) => void,
  ): 'done' | 'reconnect' | undefined {
    const answer = { type: event, data: JSON.parse(data) } as AnswerEvent;
    if (answer.type === 'end') {
      onEnd(answer.data.message);
      return 'done';
    }
    const number = Number(id);
    if (number <= this.lastId) return undefined;
    if (number > this.lastId + 1) return 'reconnect';
    this.lastId = number;
    if (answer.type === 'text') {
      const { text, reasoning } = this.state;
      const thoughtMs = text === '' && reasoning !== '' ? this.thought() : this.state.thoughtMs;
      this.change({ ...this.state, text: text + answer.data.text, thoughtMs });
    }
    if (answer.type === 'reasoning') {
      if (this.state.reasoning === '') this.thoughtSince = Date.now();
      this.change({ ...this.state, reasoning: this.state.reasoning + answer.data.text });
    }
    if (answer.type === 'part') {
      const { text, parts } = this.state;
      this.change({ ...this.state, parts: [...parts, { part: answer.data.part, at: text.length }] });
    }
    if (answer.type === 'notice') {
      this.change({ ...this.state, notices: [...this.state.notices, answer.data.code] });
    }
    return undefined;
  }

  /** How long it thought, from the question on; null when its thoughts came all at once, after they were over. */
  private thought(): number | null {
    const now = Date.now();
    return now - this.thoughtSince < AT_ONCE_MS ? null : now - this.askedAt;
  }

  private setLost(lost: boolean): void {
    if (this.state.lost !== lost) this.change({ ...this.state, lost });
  }

  private change(state: AnswerState): void {
    this.state = state;
    if (this.scheduled) return;
    this.scheduled = true;
    this.schedule(() => {
      this.scheduled = false;
      this.reported = this.state;
      for (const listener of this.listeners) listener();
    });
  }
}

/**
 * Follows a message's answer while it runs and is on screen, and writes its end into the conversation. A `pending` message, which
 * the server may not know yet, is not followed.
 */
export function useLiveAnswer(message: Message, pending: boolean, askedAt: number): AnswerState {
  const client = useQueryClient();
  const [answer] = useState(() => new LiveAnswer(message.id, askedAt));
  const { conversationId } = message;
  const isRunning = message.status === 'running' && !pending;
  useEffect(() => {
    if (!isRunning) return;
    return answer.follow({
      onEnd: (ended) => void putMessage(client, ended),
      onRefused: () => void client.invalidateQueries({ queryKey: messagesKey(conversationId) }),
    });
  }, [answer, client, conversationId, isRunning]);
  return useSyncExternalStore(answer.subscribe, answer.snapshot, answer.snapshot);
}
