import type { Executor } from '#server/platform/database/database.ts';
import { findNewest, findNewestBelow, findPlace, type Place, selectWay } from './branch-store.ts';

/**
 * The end of a branch of a conversation of the user: the newest message below `branch`, or that one when nothing is below; for
 * null, of the branch with the newest message. Null when there is no such message.
 */
export async function readLeaf(
  sql: Executor,
  userId: string,
  conversationId: string,
  branch: string | null,
): Promise<Place | null> {
  const [newest, named] = await Promise.all([
    findNewest(sql, userId, conversationId),
    branch === null ? null : findPlace(sql, userId, conversationId, branch),
  ]);
  const place = branch === null ? newest : named;
  if (place === null || newest === null) return null;
  // Mostly the newest message of all is the one, and the chains below need not be looked at.
  if (newest.isOnly && (await isBelow(sql, newest, place))) return newest;
  return findNewestBelow(sql, place);
}

/** Whether the message at a place is another one, or on a way that leads through it. */
async function isBelow(sql: Executor, place: Place, above: Place): Promise<boolean> {
  if (place.id === above.id) return true;
  if (place.depth <= above.depth) return false;
  const [found] = await selectWay(sql, place, above.depth, above.depth);
  return found === above.id;
}
