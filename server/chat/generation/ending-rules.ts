import type { MessageStatus } from '#contract/chat.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { AnswerPart } from '#contract/message/parts.ts';
import type { UpstreamFault } from '../message-store/message-parts.ts';

/** Why an answer is over: the upstream finished, the user stopped it, or it failed with a code. */
export type EndCause = 'finished' | 'stopped' | { failed: ErrorCode };

export interface Ending {
  status: Exclude<MessageStatus, 'running' | 'interrupted'>;
  errorCode: ErrorCode | null;
  charged: boolean;
  /** A code of `ledger.reason` in `i18n/`. */
  reason: string;
}

/** Kinds of parts that do not count as an answer on their own. */
const BESIDE: ReadonlySet<AnswerPart['kind']> = new Set(['reasoning', 'sources', 'confirmation', 'table']);

/** Whether an answer says something: sources and thinking alone do not. */
export function saysSomething(part: AnswerPart): boolean {
  return part.kind === 'text' ? part.text.trim() !== '' : !BESIDE.has(part.kind);
}

/** The number of actions that were taken in a browser. */
export function countSteps(parts: readonly AnswerPart[]): number {
  return parts.filter(({ kind }) => kind === 'step').length;
}

/** The codes by which the filter of a provider ends an answer. */
const FILTERED: ReadonlySet<ErrorCode> = new Set(['upstream_blocked', 'picture_blocked']);

/**
 * Decides the status of a message and whether its hold is charged. Only an answer that says something is charged; of a model that makes
 * pictures (`isPicture`) only one with a picture, and of one that drives a browser (`isDriving`) only one that took a step. A picture
 * that was made is the answer, whatever failed after it; only the filter of a provider makes it free.
 */
export function decideEnding(
  cause: EndCause,
  parts: readonly AnswerPart[],
  { isPicture = false, isDriving = false }: { isPicture?: boolean; isDriving?: boolean } = {},
): Ending {
  const says = parts.some(isPicture ? ({ kind }) => kind === 'image' : saysSomething);
  const isEarned = isDriving ? countSteps(parts) > 0 : says;
  if (cause === 'stopped')
    return { status: 'stopped', errorCode: null, charged: isEarned, reason: 'stopped' };
  const isWhole = cause === 'finished' || (isPicture && !FILTERED.has(cause.failed));
  if (isWhole && says) {
    return {
      status: 'completed',
      errorCode: null,
      charged: isEarned,
      reason: isEarned ? 'completed' : 'no_step',
    };
  }
  const missing = isPicture ? 'picture_not_made' : 'upstream_empty';
  const errorCode = cause === 'finished' ? missing : cause.failed;
  return { status: 'failed', errorCode, charged: false, reason: errorCode };
}

/** Codes of an answer without text that are nobody's fault; null: it was stopped. */
const FAULTLESS: ReadonlySet<ErrorCode | null> = new Set([
  null,
  'upstream_blocked',
  'picture_blocked',
  'picture_not_made',
  'upstream_empty',
  'upstream_timeout',
]);
/** The codes among them that the user caused: a stop, and a question that may not be answered. */
const BY_USER: ReadonlySet<ErrorCode | null> = new Set([null, 'upstream_blocked', 'picture_blocked']);

/** Faults that a question can cause once the answer has begun: a call that is not valid, more text than any model writes. */
const BY_QUESTION: ReadonlySet<UpstreamFault | null> = new Set(['model_error', 'parse', 'too_long'] as const);

/** How a message counts among the free ones of its day (decisions 50 and 149). */
export interface FreeCount {
  /** A provider was asked. */
  isUncharged: boolean;
  /** Unanswered: it had begun its work, and the user ended it. The column `ended_by_user`. */
  isUnanswered: boolean;
}

interface Work {
  wasAsked: boolean;
  hasWorked: boolean;
  hasActed: boolean;
  fault?: UpstreamFault | null;
}

/**
 * How an ending counts among the free ones. `wasAsked`: the request went to a provider; `hasWorked`: the provider reported usage, sent
 * thoughts or text, or makes pictures; `hasActed`: a browser was handed an action; `fault`: what lies behind `upstream_failed`. A fault of the
 * provider or ours does not count, except where the question may have brought it about, and after an action: users can make their browser
 * fail. Who deletes a file of a question while it is answered, and read again for the rest of the answer, ends that.
 */
export function countFree(
  { charged, errorCode }: Ending,
  { wasAsked, hasWorked, hasActed, fault = null }: Work,
): FreeCount {
  const isCaused = hasWorked && errorCode === 'upstream_failed' && BY_QUESTION.has(fault);
  const isCutOff = hasWorked && errorCode === 'files_gone';
  const isOfUser = isCaused || isCutOff || hasActed;
  const isUncharged = !charged && wasAsked && (FAULTLESS.has(errorCode) || isOfUser);
  const isByUser = BY_USER.has(errorCode) || isCutOff || (hasActed && errorCode === 'browser_failed');
  return { isUncharged, isUnanswered: isUncharged && hasWorked && isByUser };
}
