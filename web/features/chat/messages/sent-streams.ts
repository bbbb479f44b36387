import type { EventStream } from '#web/lib/event-stream.ts';

/** Whoever shows a message takes its stream when the message is drawn; where nobody does, it is closed. */
const KEPT_MS = 2_000;

const kept = new Map<string, EventStream>();

/** Keeps the stream that a message was sent with for the one who shows its answer. */
export function keepStream(messageId: string, stream: EventStream): void {
  kept.set(messageId, stream);
  setTimeout(() => {
    if (kept.get(messageId) === stream) takeStream(messageId)?.controller.abort();
  }, KEPT_MS);
}

/** The stream that a message was sent with, for one follower; undefined when there is none, or no more. */
export function takeStream(messageId: string): EventStream | undefined {
  const stream = kept.get(messageId);
  kept.delete(messageId);
  return stream;
}
