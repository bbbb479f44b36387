import type { EventStream } from '#web/lib/events/event-stream.ts';

/** A drawn message takes its stream; a stream that no message takes is closed. */
const STREAM_KEPT_MS = 2_000;

const kept = new Map<string, EventStream>();

/** Keeps the stream that a message was sent with for the one who shows its answer. */
export function keepStream(messageId: string, stream: EventStream): void {
  kept.set(messageId, stream);
  setTimeout(() => {
    if (kept.get(messageId) === stream) takeStream(messageId)?.controller.abort();
  }, STREAM_KEPT_MS);
}

/** The stream that a message was sent with, for one follower; undefined when there is none, or no more. */
export function takeStream(messageId: string): EventStream | undefined {
  const stream = kept.get(messageId);
  kept.delete(messageId);
  return stream;
}
