import type { ServerResponse } from 'node:http';
import type { Language } from '#contract/choices.ts';
import type { Feed } from '#server/chat/generation/feed.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { SseStream } from '#server/platform/sse.ts';
import { readPictures, writePictures } from './answer/read-pictures.ts';
import { partsOf, presentChunks, presentFinish, presentUsage } from './present-completion.ts';
import { presentError } from './present-error.ts';
import { faultOf, findAnswer } from './read-completion.ts';

type FollowDeps = Pick<Deps, 'database' | 'storages' | 'log' | 'sse'>;

export interface Following {
  userId: string;
  messageId: string;
  model: string;
  createdAt: Date;
  feed: Feed;
  includesUsage: boolean;
  language: Language;
}

/**
 * Streams an answer in OpenAI's chunks until it ends; a fault after the first chunk is sent as a last `error` event,
 * which OpenAI's clients throw. Holds no copy of the answer: a caller that does not read stands still.
 */
export function followCompletion(deps: FollowDeps, following: Following, outgoing: ServerResponse): void {
  const { feed } = following;
  const chunks = presentChunks({ ...following, id: following.messageId });
  let next = 0;
  let isBehind = false;
  let isEnding = false;
  const waiting: (() => void)[] = [];

  function pump() {
    if (isBehind || isEnding) return;
    for (let event = feed.events[next]; event; event = feed.events[next]) {
      next += 1;
      const frames = chunks.event(event);
      if (frames !== '' && !stream.write(frames)) {
        isBehind = true;
        return;
      }
    }
    if (!feed.ending && !feed.isLost) return;
    isEnding = true;
    unwatch();
    void end();
  }

  /** Pictures are long: each piece waits until the reader took the one before. */
  async function end() {
    try {
      for await (const piece of lastPieces(deps, following, chunks)) {
        if (piece === '') continue;
        stream.isInFrame = !piece.endsWith('\n\n');
        if (!stream.write(piece)) await new Promise<void>((resolve) => waiting.push(resolve));
        if (!stream.isOpen) return;
      }
    } catch (err) {
      deps.log.error({ err, messageId: following.messageId }, 'the end of a streamed answer failed');
      if (stream.isInFrame) return void outgoing.destroy();
      stream.write(chunks.fault(presentError(new AppError('internal'), following.language).body));
    }
    stream.end();
  }

  function goOn() {
    for (const resolve of waiting.splice(0)) resolve();
  }

  const handlers = {
    onDrain: () => {
      isBehind = false;
      goOn();
      pump();
    },
    onClose: () => {
      unwatch();
      goOn();
    },
    // Without a word of it, what was cut would look whole.
    onShutdown: () => {
      if (isEnding) return;
      isEnding = true;
      unwatch();
      stream.write(chunks.fault(presentError(new AppError('unavailable'), following.language).body));
      stream.end();
    },
  };
  const unwatch = feed.watch(pump);
  const stream: SseStream = deps.sse.open(outgoing, handlers);
  pump();
}

async function* lastPieces(
  deps: FollowDeps,
  { userId, messageId, feed, includesUsage, language }: Following,
  chunks: ReturnType<typeof presentChunks>,
): AsyncGenerator<string> {
  const row = await findAnswer(deps, userId, messageId, feed);
  if (!row) {
    yield chunks.fault(presentError(faultOf(feed), language).body);
    return;
  }
  const pictures = await readPictures(deps, userId, partsOf(row));
  yield chunks.rest(row);
  for (const image of pictures.images) yield* writePictures(chunks.image(image), pictures);
  yield chunks.finish(presentFinish(row));
  if (includesUsage) yield chunks.usage(presentUsage(row));
  yield chunks.done;
}
