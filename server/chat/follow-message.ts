import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Feed } from './generation/feed.ts';
import { findMessage } from './store.ts';

/** The events of a message of the user, running or ended, wherever it runs. Throws `not_found`. */
export async function followMessage(
  { database, generation }: Pick<Deps, 'database' | 'generation'>,
  userId: string,
  messageId: string,
): Promise<Feed> {
  const run = generation.find(messageId);
  if (run?.message.userId === userId) return run.feed;
  const message = run ? null : await findMessage(database.sql, userId, messageId);
  if (!message) throw new AppError('not_found');
  return generation.follow(message);
}
