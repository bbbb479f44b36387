import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Feed } from '../generation/feed.ts';
import { STOPS_TOPIC } from '../generation/generation.ts';
import {
  findMessage,
  type MessageRow,
  updateAllStopsRequested,
  updateStopRequested,
} from '../message-store/store.ts';

/** How long a caller waits at most to learn how the message ended. */
const WAIT_MS = 2_000;

type StopDeps = Pick<Deps, 'database' | 'bus' | 'generation'>;

/**
 * Stops a running message of the user, whichever process runs it. Returns the message as it is after a short wait: ended,
 * or still running when its process has not answered yet. Stopping what has ended changes nothing. Throws `not_found`.
 */
export async function stopMessage(deps: StopDeps, userId: string, messageId: string): Promise<MessageRow> {
  const run = deps.generation.find(messageId);
  if (run) {
    if (run.message.userId !== userId) throw new AppError('not_found');
    run.stop('stopped');
    return (await waitForEnd(run.feed)) ?? run.message;
  }
  const { sql } = deps.database;
  const running = await updateStopRequested(sql, userId, messageId);
  if (!running) {
    const ended = await findMessage(sql, userId, messageId);
    if (!ended) throw new AppError('not_found');
    return ended;
  }
  deps.bus.publish(STOPS_TOPIC, { ids: [messageId] });
  return (await waitForEnd(await deps.generation.follow(running))) ?? running;
}

/** The ended message, or null when it goes on for longer than a caller waits. */
function waitForEnd(feed: Feed): Promise<MessageRow | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(finish, WAIT_MS);
    const unwatch = feed.watch(() => {
      if (feed.ending || feed.isLost) finish();
    });
    function finish() {
      clearTimeout(timer);
      unwatch();
      resolve(feed.ending);
    }
    if (feed.ending || feed.isLost) finish();
  });
}

/** Stops all that is being answered for a user, by the web or the API, whichever processes run it. Returns how many there were. */
export async function stopAllMessages(
  { database, bus, generation }: Pick<Deps, 'database' | 'bus' | 'generation'>,
  userId: string,
): Promise<number> {
  const ids = await updateAllStopsRequested(database.sql, userId);
  for (const id of ids) generation.find(id)?.stop('stopped');
  if (ids.length > 0) bus.publish(STOPS_TOPIC, { ids });
  return ids.length;
}
