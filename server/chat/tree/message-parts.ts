import type { AnswerPart, InputPart } from '#contract/message/parts.ts';
import type { Charge, Quote, SendOptions } from '#contract/message/quotes.ts';

/** What is sent with a prompt besides its text. */
export interface MessageInput {
  /** All parts in their order, text too; absent where the prompt is text alone. */
  parts?: InputPart[];
  options?: SendOptions;
  /** The files that the model reads in this turn, earlier ones too; absent where none were looked for. */
  reads?: { fileId: string; tokens: number }[];
  quote: Quote;
}

/** A part as it is stored: a text stands in the answer already, and only its length in UTF-16 code units is kept. */
export type StoredPart = AnswerPart | { kind: 'text'; length: number };

/** What an answer is besides its text. */
export interface MessageOutput {
  /** All parts in their order, text too; absent where the answer is text alone. */
  parts?: StoredPart[];
  /** Absent where the message alone was charged for, or nothing. */
  charged?: Charge;
}

/** Puts pieces that follow each other together: text to text, thinking to thinking. */
export function joinParts(pieces: Iterable<AnswerPart>): AnswerPart[] {
  const parts: AnswerPart[] = [];
  for (const piece of pieces) {
    const last = parts.at(-1);
    const isMore = last?.kind === piece.kind && (piece.kind === 'text' || piece.kind === 'reasoning');
    if (isMore && 'text' in last) parts[parts.length - 1] = { ...last, text: last.text + piece.text };
    else parts.push(piece);
  }
  return parts;
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
