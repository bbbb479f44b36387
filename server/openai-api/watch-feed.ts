import type { Feed } from '#server/chat/generation/feed.ts';
import { AppError } from '#server/errors.ts';
import { isSaid } from './present-completion.ts';

/**
 * Waits until an answer has ended, or until it says something or has ended (`piece`). Throws `unavailable` when nothing more
 * will come of it here, and the caller should ask again.
 */
export function watchFeed(feed: Feed, until: 'piece' | 'end'): Promise<void> {
  let seen = 0;
  const isEnough = () => {
    if (feed.ending) return true;
    if (until === 'end') return false;
    const isPiece = feed.events.slice(seen).some(isSaid);
    seen = feed.events.length;
    return isPiece;
  };
  return new Promise((resolve, reject) => {
    const look = () => {
      const isDone = isEnough();
      if (!isDone && !feed.isLost) return;
      unwatch();
      if (isDone) resolve();
      else reject(new AppError('unavailable'));
    };
    const unwatch = feed.watch(look);
    look();
  });
}
