import type { UpstreamError } from './transport/upstream-error.ts';

const MAX_RATE_RETRIES = 2;
const MAX_FAULT_RETRIES = 1;
const RATE_PAUSE_MS = 1_000;
const FAULT_PAUSE_MS = 250;
/** Least time for the answer that a wait must leave, in milliseconds. */
const MIN_LEFT_MS = 1_000;

/** Counts the retries of one call. `random` gives [0, 1). */
export interface RetryPolicy {
  /** Milliseconds to wait before trying the same route again; null: do not. */
  next(error: UpstreamError, leftMs: number): number | null;
}

/**
 * Allows at most 2 retries when a provider is busy, after the pause that it asks for, and 1 when it failed or could not be reached; none
 * when the pause would use up the time for the first token.
 */
export function createRetryPolicy(random: () => number = Math.random): RetryPolicy {
  let rate = 0;
  let fault = 0;

  function pauseOf(error: UpstreamError): number | null {
    const jitter = 1 + random() * 0.5;
    if (error.kind === 'rate' && error.vendorCode !== 'QUOTA_PER_DAY' && rate < MAX_RATE_RETRIES) {
      rate += 1;
      return error.retryAfterMs ?? RATE_PAUSE_MS * rate * jitter;
    }
    if ((error.kind === 'overloaded' || error.kind === 'connect') && fault < MAX_FAULT_RETRIES) {
      fault += 1;
      return error.retryAfterMs ?? FAULT_PAUSE_MS * jitter;
    }
    return null;
  }

  return {
    next(error, leftMs) {
      const pause = pauseOf(error);
      return pause !== null && pause + MIN_LEFT_MS <= leftMs ? pause : null;
    },
  };
}
