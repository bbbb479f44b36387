import type { Language } from '#contract/choices.ts';
import type { SseHandlers, SseStream } from '#server/platform/sse.ts';
import type { Feed } from './feed.ts';
import { ReplayQueue } from './replay-queue.ts';

export interface FeedReader {
  /** The number of the last event that the reader has; null at first. */
  after: number | null;
  language: Language;
  /** Opens the reader's stream. */
  open(handlers: SseHandlers): SseStream;
}

const replays = new ReplayQueue();

/**
 * Sends a feed to one reader of the user, from the event after the last it has, then the `end` event, then closes. A follower is a
 * place in the feed: it holds no copy of anything, and one that does not read just stands still.
 *
 * What is guaranteed: event n is the same for every reader and every connection, so replay and live tail leave no gap and
 * repeat nothing. An event is shown before it is written to the log (up to 400 ms), so after a kill -9 a reader may have
 * seen events that are lost; it then gets no further event but `end`, whose message is the truth.
 */
export function followFeed(feed: Feed, userId: string, { after, language, open }: FeedReader): void {
  let next = feed.isWhole && after !== null ? Math.max(after, feed.events.length) : (after ?? 0);
  let stream: SseStream | undefined;
  let isBehind = false;
  let isWaiting = false;

  function pump() {
    if (!stream || isBehind || isWaiting) return;
    for (let part = feed.framesAfter(next); part; part = feed.framesAfter(next)) {
      next = part.seen;
      isBehind = !stream.write(part.frames);
      isWaiting = next < feed.events.length;
      if (isWaiting) replays.wait(userId, goOn);
      if (isBehind || isWaiting) return;
    }
    if (feed.ending) {
      const frame = feed.endFrame(language, next + 1);
      if (frame) stream.write(frame);
      finish();
    } else if (feed.isLost) finish();
  }

  function goOn() {
    isWaiting = false;
    pump();
  }

  function finish() {
    unwatch();
    stream?.end();
    stream = undefined;
  }

  const unwatch = feed.watch(pump);
  stream = open({
    onDrain: () => {
      isBehind = false;
      pump();
    },
    onClose: () => {
      unwatch();
      replays.takeBack(userId, goOn);
      stream = undefined;
    },
  });
  pump();
}
