import type { ServerResponse } from 'node:http';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Feed } from '../generation/feed.ts';
import { type FeedReader, followFeed } from '../generation/follow-feed.ts';
import { isMessageOf } from '../message-store/store.ts';

type FollowDeps = Pick<Deps, 'database' | 'generation'>;

/** Readers that a user may have for each answer that may run at once. */
const READERS_PER_ANSWER = 10;

/** Counts one more reader of the user's answers until its response closes, by whatever wire. Throws `too_many_streams`. */
export function admitFollower(
  { sse, config }: Pick<Deps, 'sse' | 'config'>,
  userId: string,
  outgoing: ServerResponse,
): void {
  sse.admit(outgoing, `answers ${userId}`, READERS_PER_ANSWER * config.limits.runningPerUser);
}

/**
 * Sends the events of a message of the user to a reader, whether it runs here or elsewhere or has ended. Throws `not_found`
 * before the reader's stream is opened, and resolves as soon as it is. Without a reader it only looks for the message.
 */
export async function followMessage(
  deps: FollowDeps,
  userId: string,
  messageId: string,
  reader: FeedReader | null,
): Promise<void> {
  const feed = await findFeed(deps, userId, messageId);
  if (reader) followFeed(feed, userId, reader);
}

/** The events of a message of the user, wherever it runs. Throws `not_found`. */
export async function findFeed(
  { database, generation }: FollowDeps,
  userId: string,
  messageId: string,
): Promise<Feed> {
  const known = generation.findFeed(userId, messageId);
  if (known) return known;
  if (!(await isMessageOf(database.sql, userId, messageId))) throw new AppError('not_found');
  return generation.follow({ id: messageId, userId });
}
