import { Readable } from 'node:stream';
import type { Feed } from '#server/chat/generation/feed.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { retryStatement } from '#server/platform/database/retry-statement.ts';
import { readPictures, writePictures } from './answer/read-pictures.ts';
import { partsOf, presentCompletion, readReasoning } from './present-completion.ts';
import { type ExchangeRow, findExchange, hasAnswer } from './store.ts';

/** What was charged for an answer, in Credits, and the answer as JSON text. */
interface WholeCompletion {
  charged: number;
  body: string | ReadableStream;
}

/** The whole answer of a message that has ended; throws why there is none. */
export async function readCompletion(
  deps: Pick<Deps, 'database' | 'storages'>,
  userId: string,
  messageId: string,
  feed: Feed,
): Promise<WholeCompletion> {
  const row = await findAnswer(deps, userId, messageId, feed);
  if (!row) throw faultOf(feed);
  const pictures = await readPictures(deps, userId, partsOf(row));
  const whole = JSON.stringify(presentCompletion(row, readReasoning(feed.events), pictures.images));
  const charged = row.creditsUsed;
  if (pictures.images.length === 0) return { charged, body: whole };
  const pieces = Readable.from(writePictures(whole, pictures), { objectMode: false });
  return { charged, body: Readable.toWeb(pieces) as ReadableStream };
}

/**
 * The answer of a message; null where there is none, or it has not ended. Looks again where the connection is lost: it may be charged,
 * and who is refused asks and pays again.
 */
export async function findAnswer(
  { database }: Pick<Deps, 'database'>,
  userId: string,
  messageId: string,
  { ending }: Pick<Feed, 'ending'>,
): Promise<ExchangeRow | null> {
  if (!ending) return null;
  const row = await retryStatement(() => findExchange(database.sql, userId, messageId));
  return row && hasAnswer(row) ? row : null;
}

/** Why an answer is none. */
export function faultOf({ ending }: Pick<Feed, 'ending'>): AppError {
  if (!ending) return new AppError('unavailable');
  return new AppError(ending.errorCode ?? 'request_stopped');
}
