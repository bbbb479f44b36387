import type { AnswerPart, InputPart } from '#contract/message/parts.ts';
import type { Charge, Quote, SendOptions } from '#contract/message/quotes.ts';
import type { UpstreamErrorKind } from '../upstream/transport/upstream-error.ts';

/** A file as a message was priced with it. */
export interface PricedRead {
  fileId: string;
  tokens: number;
  /** Hex; absent in messages that were sent before it was kept. */
  sha256?: string;
}

/** What is sent with a prompt besides its text. */
export interface MessageInput {
  /** All parts in their order, text too; absent where the prompt is text alone. */
  parts?: InputPart[];
  options?: SendOptions;
  /** How many steps of a browser are paid for; absent where none is driven. */
  computer?: { steps: number };
  /** The files that the model reads in this turn, earlier ones too; absent where none were looked for. */
  reads?: PricedRead[];
  quote: Quote;
}

/** What lies behind `upstream_failed`; `too_long`: more text than any model writes. */
export type UpstreamFault = UpstreamErrorKind | 'too_long';

/** A part as it is stored: a text stands in the answer already, and only its length in UTF-16 code units is kept. */
export type StoredPart = AnswerPart | { kind: 'text'; length: number };

/** What an answer is besides its text. */
export interface MessageOutput {
  /** All parts in their order, text too; absent where the answer is text alone. */
  parts?: StoredPart[];
  /** Absent where the message alone was charged for, or nothing. */
  charged?: Charge;
  /** Web searches that a provider ran for it, charged or not: what they cost the operator. Absent: none. */
  searches?: number;
  /** Questions that may come next; they come after the end. */
  followUps?: string[];
  /** What went wrong where the user gets `upstream_failed`; for the operator. */
  fault?: UpstreamFault;
}

/**
 * Puts pieces that follow each other together: text to text, thinking to thinking. A confirmation that came again stands where it came
 * first, as it was last.
 */
export function joinParts(pieces: Iterable<AnswerPart>): AnswerPart[] {
  const parts: AnswerPart[] = [];
  for (const piece of pieces) {
    const last = parts.at(-1);
    const isMore = last?.kind === piece.kind && (piece.kind === 'text' || piece.kind === 'reasoning');
    const asked = findAsked(parts, piece);
    if (asked >= 0) parts[asked] = piece;
    else if (isMore && 'text' in last) parts[parts.length - 1] = { ...last, text: last.text + piece.text };
    else parts.push(piece);
  }
  return parts;
}

function findAsked(parts: readonly AnswerPart[], piece: AnswerPart): number {
  if (piece.kind !== 'confirmation') return -1;
  return parts.findIndex((part) => part.kind === 'confirmation' && part.id === piece.id);
}

/** The parts of an answer that is over: nothing waits to be confirmed any more. */
export function endConfirmations(parts: readonly AnswerPart[]): AnswerPart[] {
  return parts.map((part) =>
    part.kind === 'confirmation' && part.state === 'waiting' ? { ...part, state: 'ended' } : part,
  );
}

/** The parts as they are stored; undefined where they are text alone. */
export function storeParts(parts: readonly AnswerPart[]): StoredPart[] | undefined {
  if (parts.every(({ kind }) => kind === 'text')) return undefined;
  return parts.map((part) => (part.kind === 'text' ? { kind: 'text', length: part.text.length } : part));
}

/** The parts of an answer with their texts; undefined where the answer is text alone. */
export function readParts(
  output: Pick<MessageOutput, 'parts'> | null,
  response: string,
): AnswerPart[] | undefined {
  let at = 0;
  const full = output?.parts?.map((part): AnswerPart => {
    if (!('length' in part)) return part;
    at += part.length;
    return { kind: 'text', text: response.slice(at - part.length, at) };
  });
  return full && joinParts(full);
}
