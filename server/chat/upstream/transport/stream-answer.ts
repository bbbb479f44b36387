import type { AnswerReader } from './answer-reader.ts';
import type { CallDeadline } from './call-deadline.ts';
import type { HttpPool, HttpPost, Refusal } from './http-pool.ts';
import { createSseReader } from './sse-reader.ts';
import { UpstreamError } from './upstream-error.ts';

/** What a dialect makes of its events. */
export interface EventReading {
  /** Reads one event into the answer; true means that it was the last. */
  onEvent(data: string): boolean;
  /** Characters of one event at most; absent: as of text. */
  largestEvent?: number | undefined;
  readRefusal(refusal: Refusal): UpstreamError;
}

/** An error that has what is known of the answer; errors that are no `UpstreamError` are faults of ours and stay as they are. */
function withMetadata(error: unknown, answer: AnswerReader): unknown {
  if (!(error instanceof UpstreamError) || error.metadata) return error;
  const { kind, message, status, retryAfterMs, vendorCode, phase, cause } = error;
  return new UpstreamError(kind, message, {
    status,
    retryAfterMs,
    vendorCode,
    phase,
    cause,
    metadata: answer.metadata(),
  });
}

/** Posts one request and reads its stream into the answer, to the end of the body. */
export async function streamAnswer(
  pool: HttpPool,
  post: HttpPost,
  answer: AnswerReader,
  deadline: CallDeadline,
  reading: EventReading,
): Promise<void> {
  let isOver = false;
  const readChunk = createSseReader((data) => {
    deadline.touch();
    if (!isOver) isOver = reading.onEvent(data);
  }, reading.largestEvent);
  try {
    const refusal = await pool.post(post, deadline, (chunk) => {
      try {
        readChunk(chunk);
      } finally {
        answer.flush();
      }
      return isOver ? 'done' : 'more';
    });
    if (refusal) throw reading.readRefusal(refusal);
  } catch (error) {
    throw withMetadata(error, answer);
  }
}

/** Rejects like `streamAnswer` when a finished stream is no answer. */
export function concludeAnswer(answer: AnswerReader) {
  try {
    return answer.conclude();
  } catch (error) {
    throw withMetadata(error, answer);
  }
}
