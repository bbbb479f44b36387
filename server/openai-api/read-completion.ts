import type { Completion } from '#contract/openai.ts';
import type { Feed } from '#server/chat/generation/feed.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { presentCompletion, readPiece } from './present-completion.ts';
import { findExchange, hasAnswer } from './store.ts';

/** The whole answer of a message that has ended; throws why there is none. */
export async function readCompletion(
  { database }: Pick<Deps, 'database'>,
  userId: string,
  messageId: string,
  feed: Feed,
): Promise<Completion> {
  const row = feed.ending ? await findExchange(database.sql, userId, messageId) : null;
  if (!row || !hasAnswer(row)) throw faultOf(feed);
  return presentCompletion(row, reasoningOf(feed));
}

/** Why an answer is none. */
export function faultOf({ ending }: Pick<Feed, 'ending'>): AppError {
  if (!ending) return new AppError('unavailable');
  return new AppError(ending.errorCode ?? 'request_stopped');
}

function reasoningOf(feed: Feed): string {
  const pieces = feed.events.map(readPiece);
  return pieces.map((piece) => (piece?.field === 'reasoning_content' ? JSON.parse(piece.json) : '')).join('');
}
