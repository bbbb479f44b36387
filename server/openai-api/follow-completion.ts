import type { ServerResponse } from 'node:http';
import type { Language } from '#contract/choices.ts';
import type { Feed } from '#server/chat/generation/feed.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { SseStream } from '#server/platform/sse.ts';
import { presentChunks, presentFinish, presentUsage, readPiece } from './present-completion.ts';
import { presentError } from './present-error.ts';
import { faultOf } from './read-completion.ts';
import { findExchange, hasAnswer } from './store.ts';

type FollowDeps = Pick<Deps, 'database' | 'log' | 'sse'>;

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

  function pump() {
    if (isBehind || isEnding) return;
    for (let event = feed.events[next]; event; event = feed.events[next]) {
      next += 1;
      const piece = readPiece(event);
      if (piece && !stream.write(chunks.piece(piece))) {
        isBehind = true;
        return;
      }
    }
    if (!feed.ending && !feed.isLost) return;
    isEnding = true;
    unwatch();
    void end();
  }

  async function end() {
    try {
      for (const frame of await lastFrames(deps, following, chunks)) stream.write(frame);
    } catch (err) {
      deps.log.error({ err, messageId: following.messageId }, 'the end of a streamed answer failed');
      stream.write(chunks.fault(presentError(new AppError('internal'), following.language).body));
    }
    stream.end();
  }

  const handlers = {
    onDrain: () => {
      isBehind = false;
      pump();
    },
    onClose: () => unwatch(),
  };
  const unwatch = feed.watch(pump);
  const stream: SseStream = deps.sse.open(outgoing, handlers);
  pump();
}

async function lastFrames(
  { database }: FollowDeps,
  { userId, messageId, feed, includesUsage, language }: Following,
  chunks: ReturnType<typeof presentChunks>,
): Promise<string[]> {
  const row = feed.ending ? await findExchange(database.sql, userId, messageId) : null;
  if (!row || !hasAnswer(row)) return [chunks.fault(presentError(faultOf(feed), language).body)];
  const usage = includesUsage ? [chunks.usage(presentUsage(row))] : [];
  return [chunks.finish(presentFinish(row)), ...usage, chunks.done];
}
