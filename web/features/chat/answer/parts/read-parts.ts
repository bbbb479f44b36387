import type { AnswerEvent, Message } from '#contract/chat.ts';
import type { AnswerPart, SourcesPart } from '#contract/message/parts.ts';

export type LivePart = Extract<AnswerEvent, { type: 'part' }>['data']['part'];

/** A part that came while the answer was being written, behind `at` characters of its text. */
export interface PlacedPart {
  part: LivePart;
  at: number;
}

/** What is shown between texts of an answer. */
export type ShownPart = Extract<LivePart, { kind: 'code' | 'output' | 'image' }>;

/** A stretch of an answer: text from the character `start` on, or something else. */
export type Stretch = { kind: 'text'; start: number; text: string } | { kind: 'part'; part: ShownPart };

export interface AnswerView {
  text: string;
  reasoning: string;
  stretches: readonly Stretch[];
  sources: SourcesPart | null;
}

/** An answer that ended, as its parts say; one of text alone is one stretch. */
export function viewEnded({ response, parts = [] }: Message): AnswerView {
  const stretches: Stretch[] = [];
  let reasoning = '';
  let sources: SourcesPart | null = null;
  let start = 0;
  for (const part of parts) {
    if (part.kind === 'text') {
      addText(stretches, start, part.text);
      start += part.text.length;
    } else if (part.kind === 'reasoning') reasoning += part.text;
    else if (part.kind === 'sources') sources = part;
    else if (isShown(part)) stretches.push({ kind: 'part', part });
  }
  // What an older server stored has no text parts.
  if (start < response.length) addText(stretches, start, response.slice(start));
  return { text: response, reasoning, stretches, sources };
}

/** An answer that is being written. Its sources are shown with its end, so that nothing moves under the reader's eyes. */
export function viewLive(text: string, reasoning: string, placed: readonly PlacedPart[]): AnswerView {
  const stretches: Stretch[] = [];
  let start = 0;
  for (const { part, at } of placed) {
    if (!isShown(part)) continue;
    addText(stretches, start, text.slice(start, at));
    start = Math.max(start, at);
    stretches.push({ kind: 'part', part });
  }
  addText(stretches, start, text.slice(start));
  return { text, reasoning, stretches, sources: null };
}

function addText(stretches: Stretch[], start: number, text: string): void {
  if (text === '') return;
  const last = stretches.at(-1);
  if (last?.kind === 'text') stretches[stretches.length - 1] = { ...last, text: last.text + text };
  else stretches.push({ kind: 'text', start, text });
}

function isShown(part: AnswerPart): part is ShownPart {
  return part.kind === 'code' || part.kind === 'output' || part.kind === 'image';
}
