import type { MessageStatus } from '#contract/chat.ts';
import type { ErrorCode } from '#contract/errors.ts';

/** Why an answer is over: the upstream finished, the user stopped it, or it failed with a code. */
export type EndCause = 'finished' | 'stopped' | { failed: ErrorCode };

export interface Ending {
  status: Exclude<MessageStatus, 'running' | 'interrupted'>;
  errorCode: ErrorCode | null;
  charged: boolean;
  /** A code of `ledger.reason` in `i18n/`. */
  reason: string;
}

/** What becomes of a message and its hold: only an answer that says something is charged. */
export function decideEnding(cause: EndCause, answer: string): Ending {
  const says = answer.trim() !== '';
  if (cause === 'stopped') return { status: 'stopped', errorCode: null, charged: says, reason: 'stopped' };
  if (cause === 'finished' && says) {
    return { status: 'completed', errorCode: null, charged: true, reason: 'completed' };
  }
  const errorCode = cause === 'finished' ? 'upstream_empty' : cause.failed;
  return { status: 'failed', errorCode, charged: false, reason: errorCode };
}

/** How an answer may end without text by what its user asked: the provider does not report these as its own fault. */
const UNANSWERED: ReadonlySet<ErrorCode | null> = new Set([
  null,
  'upstream_blocked',
  'upstream_empty',
  'upstream_timeout',
]);

/**
 * Whether an ending counts against the messages of a day that may end without an answer: it is free, the provider `worked` for it (it
 * reported usage, or sent thoughts or text), and it is no fault of the provider or ours.
 */
export function countsAsUnanswered({ charged, errorCode }: Ending, worked: boolean): boolean {
  return !charged && worked && UNANSWERED.has(errorCode);
}
