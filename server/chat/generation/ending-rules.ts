import type { MessageStatus } from '#contract/chat.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { AnswerPart } from '#contract/message/parts.ts';

/** Why an answer is over: the upstream finished, the user stopped it, or it failed with a code. */
export type EndCause = 'finished' | 'stopped' | { failed: ErrorCode };

export interface Ending {
  status: Exclude<MessageStatus, 'running' | 'interrupted'>;
  errorCode: ErrorCode | null;
  charged: boolean;
  /** A code of `ledger.reason` in `i18n/`. */
  reason: string;
}

/** Whether an answer says something: sources and thinking alone do not. */
export function saysSomething(part: AnswerPart): boolean {
  if (part.kind === 'text') return part.text.trim() !== '';
  return part.kind !== 'reasoning' && part.kind !== 'sources';
}

/** What becomes of a message and its hold: only an answer that says something is charged. */
export function decideEnding(cause: EndCause, parts: readonly AnswerPart[]): Ending {
  const says = parts.some(saysSomething);
  if (cause === 'stopped') return { status: 'stopped', errorCode: null, charged: says, reason: 'stopped' };
  if (cause === 'finished' && says) {
    return { status: 'completed', errorCode: null, charged: true, reason: 'completed' };
  }
  const errorCode = cause === 'finished' ? 'upstream_empty' : cause.failed;
  return { status: 'failed', errorCode, charged: false, reason: errorCode };
}

/** How an answer may end without text where no one reports a fault; null: it was stopped. */
const FAULTLESS: ReadonlySet<ErrorCode | null> = new Set([
  null,
  'upstream_blocked',
  'upstream_empty',
  'upstream_timeout',
]);
/** Those among them that the user brought about: a stop, and a question that may not be answered. */
const BY_USER: ReadonlySet<ErrorCode | null> = new Set([null, 'upstream_blocked']);

/** What a message counts as among the free ones of its day (decision 50). */
export interface FreeCount {
  /** A provider was asked. */
  isUncharged: boolean;
  /** It had begun its work, and the user ended it. */
  isEndedByUser: boolean;
}

/**
 * What an ending counts as. `wasAsked`: the request went to a provider; `hasWorked`: the provider reported usage, or sent thoughts or
 * text. A fault of the provider or ours counts as nothing.
 */
export function countFree(
  { charged, errorCode }: Ending,
  { wasAsked, hasWorked }: { wasAsked: boolean; hasWorked: boolean },
): FreeCount {
  const isUncharged = !charged && wasAsked && FAULTLESS.has(errorCode);
  return { isUncharged, isEndedByUser: isUncharged && hasWorked && BY_USER.has(errorCode) };
}
