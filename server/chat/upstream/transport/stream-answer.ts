import type { AnswerReader } from './answer-reader.ts';
import type { CallDeadline } from './call-deadline.ts';
import type { HttpPool, HttpPost, Refusal } from './http-pool.ts';
import { createSseReader } from './sse-reader.ts';
import { UpstreamError } from './upstream-error.ts';

/** How a dialect reads its events. */
export interface EventReading {
  /** Reads one event into the answer. Returns true where it was the last. */
  onEvent(data: string): boolean;
  /** Most characters of one event; absent: as for text. */
  largestEvent?: number | undefined;
  readRefusal(refusal: Refusal): UpstreamError;
}

/** Adds what is known of the answer to an error. Errors other than `UpstreamError` are our own faults and stay unchanged. */
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

/** Posts one request and reads its stream into the answer, to the end of the body. What breaks after the finish takes nothing away. */
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
    // Some gateways keep a connection open with empty events.
    if (!isOver && data !== '') isOver = reading.onEvent(data);
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
    const isStopped = !(error instanceof UpstreamError) || error.kind === 'aborted';
    if (isStopped || !answer.isComplete) throw withMetadata(error, answer);
  }
}

/** Asserts that a finished stream is an answer. Throws as `streamAnswer` rejects. */
export function concludeAnswer(answer: AnswerReader) {
  try {
    return answer.conclude();
  } catch (error) {
    throw withMetadata(error, answer);
  }
}
