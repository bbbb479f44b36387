import type { ServerResponse } from 'node:http';
import type { Feed } from '#server/chat/generation/feed.ts';
import { stopMessage } from '#server/chat/messages/stop-message.ts';
import type { Deps } from '#server/deps.ts';

/** How many callers of this process read each answer or wait for it. */
const callers = new WeakMap<Feed, number>();

/**
 * Counts one more caller of an answer until its connection closes. When the last caller has disconnected and the answer still
 * runs, the answer is stopped.
 */
export function cancelOnDisconnect(
  deps: Pick<Deps, 'database' | 'bus' | 'generation' | 'log'>,
  answer: { userId: string; messageId: string; feed: Feed },
  outgoing: ServerResponse,
): void {
  const { userId, messageId, feed } = answer;
  callers.set(feed, (callers.get(feed) ?? 0) + 1);
  const leave = () => {
    const left = (callers.get(feed) ?? 1) - 1;
    callers.set(feed, left);
    if (left > 0 || feed.ending || feed.isLost) return;
    // It is this process that left: another one goes on with the answer.
    if (deps.generation.isStopping && !deps.generation.find(messageId)) return;
    stopMessage(deps, userId, messageId).catch((err) =>
      deps.log.warn({ err, messageId }, 'an answer whose caller disconnected could not be stopped'),
    );
  };
  if (outgoing.destroyed) leave();
  else outgoing.once('close', leave);
}
