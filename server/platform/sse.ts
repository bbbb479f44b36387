import type { ServerResponse } from 'node:http';
import { AppError } from '#server/errors.ts';

/** Limits of one stream; a reader that does not keep to them is cut off and may come back. */
export interface SseLimits {
  heartbeatMs: number;
  maxBufferedBytes: number;
  maxBlockedMs: number;
}

export const DEFAULT_SSE_LIMITS: SseLimits = {
  heartbeatMs: 15_000,
  maxBufferedBytes: 256 * 1024,
  maxBlockedMs: 30_000,
};

export interface SseHandlers {
  /** The reader took what was buffered: more may be written. */
  onDrain?: () => void;
  /** The connection is gone, whichever side ended it. Called once. */
  onClose?: () => void;
  /** The process stops: ends the stream, now or as soon as its last frames are there. Without it the stream just ends. */
  onShutdown?: () => void;
}

/** One open stream of server-sent events (https://html.spec.whatwg.org, 9.2). */
export interface SseStream {
  /**
   * Sends a frame. False: the reader is behind; wait for `onDrain`. A caller that cannot wait gives bytes: Node counts text that waits in
   * UTF-16 units, which are up to three bytes each.
   */
  write(frame: string | Buffer): boolean;
  /** A frame is written in parts, and nothing may come between them. */
  isInFrame: boolean;
  /** Ends the stream after what was written. */
  end(): void;
  readonly isOpen: boolean;
}

/** What a stream begins with. */
export interface FirstFrame {
  frame: string;
  /** The status of the answer; 200 without. */
  status: number;
}

export interface SseHub {
  /**
   * Counts a response as one of the readers of `owner` until it closes. Throws `too_many_streams` where `most` of them are open: before
   * anything is done for it, so that no user is charged for what they may not read.
   */
  admit(outgoing: ServerResponse, owner: string, most: number): void;
  /** Takes over a response and sends the headers, those already set among them, together with the first frame if there is one. */
  open(outgoing: ServerResponse, handlers: SseHandlers, first?: FirstFrame): SseStream;
  /** Streams that are open now. */
  readonly size: number;
  /** Ends every stream and stops the timers. */
  close(): void;
}

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};
const HEARTBEAT = ': \n\n';
/** When a user with too many streams may try again. */
const RETRY_SECONDS = 10;

/** Builds a frame; `data` is JSON text. It may be written to any number of streams. */
export function sseFrame(event: string, data: string, id?: number): string {
  const head = id === undefined ? '' : `id: ${id}\n`;
  return `${head}event: ${event}\ndata: ${data}\n\n`;
}

class Stream implements SseStream {
  blockedSince = 0;
  isInFrame = false;
  private readonly outgoing: ServerResponse;
  private readonly maxBufferedBytes: number;

  constructor(outgoing: ServerResponse, maxBufferedBytes: number) {
    this.outgoing = outgoing;
    this.maxBufferedBytes = maxBufferedBytes;
  }

  get isOpen() {
    return !this.outgoing.destroyed && !this.outgoing.writableEnded;
  }

  write(frame: string | Buffer): boolean {
    if (!this.isOpen) return false;
    const isBehind = this.blockedSince > 0;
    if (this.outgoing.write(frame)) return true;
    this.blockedSince ||= performance.now();
    if (isBehind && this.outgoing.writableLength > this.maxBufferedBytes) this.outgoing.destroy();
    return false;
  }

  end() {
    if (!this.isOpen) return;
    this.outgoing.end();
    this.blockedSince ||= performance.now();
  }

  beat() {
    if (this.isOpen && this.blockedSince === 0 && !this.isInFrame) this.write(HEARTBEAT);
  }

  dropIfBlockedSince(limit: number) {
    if (this.blockedSince > 0 && this.blockedSince < limit) this.outgoing.destroy();
  }
}

/** Makes the registry of the open streams of this process, with one timer each for heartbeats and for readers that do not read. */
export function createSseHub(limits: SseLimits = DEFAULT_SSE_LIMITS): SseHub {
  const streams = new Map<Stream, SseHandlers>();
  const readers = new Map<string, number>();
  const heartbeat = setInterval(() => {
    for (const stream of streams.keys()) stream.beat();
  }, limits.heartbeatMs).unref();
  const sweep = setInterval(() => {
    const limit = performance.now() - limits.maxBlockedMs;
    for (const stream of streams.keys()) stream.dropIfBlockedSince(limit);
  }, limits.maxBlockedMs / 6).unref();
  return {
    admit(outgoing, owner, most) {
      const count = readers.get(owner) ?? 0;
      if (count >= most) throw new AppError('too_many_streams', { seconds: RETRY_SECONDS });
      if (outgoing.destroyed) return;
      readers.set(owner, count + 1);
      outgoing.once('close', () => {
        const left = (readers.get(owner) ?? 1) - 1;
        if (left > 0) readers.set(owner, left);
        else readers.delete(owner);
      });
    },
    open(outgoing, handlers, first) {
      const stream = new Stream(outgoing, limits.maxBufferedBytes);
      streams.set(stream, handlers);
      outgoing.on('drain', () => {
        stream.blockedSince = 0;
        handlers.onDrain?.();
      });
      outgoing.on('error', () => {});
      const forget = () => {
        if (streams.delete(stream)) handlers.onClose?.();
      };
      outgoing.once('close', forget);
      if (outgoing.destroyed) {
        queueMicrotask(forget);
        return stream;
      }
      outgoing.writeHead(first?.status ?? 200, HEADERS);
      if (first) stream.write(first.frame);
      else outgoing.flushHeaders();
      return stream;
    },
    get size() {
      return streams.size;
    },
    close() {
      clearInterval(heartbeat);
      clearInterval(sweep);
      for (const [stream, { onShutdown }] of streams) {
        if (onShutdown) onShutdown();
        else stream.end();
      }
    },
  };
}
