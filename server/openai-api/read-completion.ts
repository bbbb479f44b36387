import { Readable } from 'node:stream';
import type { Feed } from '#server/chat/generation/feed.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { readPictures, writePictures } from './answer/read-pictures.ts';
import { partsOf, presentCompletion, readReasoning } from './present-completion.ts';
import { findExchange, hasAnswer } from './store.ts';

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
  const row = feed.ending ? await findExchange(deps.database.sql, userId, messageId) : null;
  if (!row || !hasAnswer(row)) throw faultOf(feed);
  const pictures = await readPictures(deps, userId, partsOf(row));
  const whole = JSON.stringify(presentCompletion(row, readReasoning(feed.events), pictures.images));
  const charged = row.creditsUsed;
  if (pictures.images.length === 0) return { charged, body: whole };
  const pieces = Readable.from(writePictures(whole, pictures), { objectMode: false });
  return { charged, body: Readable.toWeb(pieces) as ReadableStream };
}

/** Why an answer is none. */
export function faultOf({ ending }: Pick<Feed, 'ending'>): AppError {
  if (!ending) return new AppError('unavailable');
  return new AppError(ending.errorCode ?? 'request_stopped');
}
