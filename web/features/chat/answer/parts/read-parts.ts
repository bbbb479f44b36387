import type { AnswerEvent, Message } from '#contract/chat.ts';
import type { AnswerPart, OutputPart, SourcesPart, TablePart } from '#contract/message/parts.ts';

export type LivePart = Extract<AnswerEvent, { type: 'part' }>['data']['part'];

/** A part that came while the answer was being written, behind `at` characters of its text. */
export interface PlacedPart {
  part: LivePart;
  at: number;
}

/** What is shown between texts of an answer. */
export type ShownPart = Extract<LivePart, { kind: 'code' | 'output' | 'image' }>;

/** A stretch of an answer: text from the character `start` on, or something else; code has with it what came of it. */
export type Stretch =
  | { kind: 'text'; start: number; text: string }
  | { kind: 'part'; part: ShownPart; outputs: readonly OutputPart[] };

export interface AnswerView {
  text: string;
  reasoning: string;
  /** How long it thought, in milliseconds; null while that is not known. */
  thoughtMs: number | null;
  stretches: readonly Stretch[];
  sources: SourcesPart | null;
  /** Of the page that a browser run ended on. */
  tables: readonly TablePart[];
}

/** An answer that ended, as its parts say; one of text alone is one stretch. */
export function viewEnded({ response, parts = [], firstTextMs }: Message): AnswerView {
  const stretches: Stretch[] = [];
  let reasoning = '';
  let thoughtMs: number | null = null;
  let sources: SourcesPart | null = null;
  let start = 0;
  for (const part of parts) {
    if (part.kind === 'text') {
      addText(stretches, start, part.text);
      start += part.text.length;
    } else if (part.kind === 'reasoning') {
      reasoning = joinThoughts(reasoning, part.text);
      if (part.ms !== undefined) thoughtMs = (thoughtMs ?? 0) + part.ms;
    } else if (part.kind === 'sources') sources = part;
    else addPart(stretches, part);
  }
  // What an older server stored has no text parts.
  if (start < response.length) addText(stretches, start, response.slice(start));
  const tables = parts.filter((part) => part.kind === 'table');
  return { text: response, reasoning, thoughtMs: thoughtMs ?? firstTextMs, stretches, sources, tables };
}

interface Live {
  text: string;
  reasoning: string;
  parts: readonly PlacedPart[];
  thoughtMs: number | null;
}

/** An answer that is being written. Its sources and tables are shown with its end, so that nothing moves under the reader's eyes. */
export function viewLive({ text, reasoning, parts, thoughtMs }: Live): AnswerView {
  const stretches: Stretch[] = [];
  let start = 0;
  for (const { part, at } of parts) {
    addText(stretches, start, text.slice(start, at));
    start = Math.max(start, at);
    addPart(stretches, part);
  }
  addText(stretches, start, text.slice(start));
  return { text, reasoning, thoughtMs, stretches, sources: null, tables: [] };
}

/** Code that has not come to its end: it runs now, while its answer is being written. */
export function isUnderWay(stretch: Stretch | undefined): boolean {
  return stretch?.kind === 'part' && stretch.part.kind === 'code' && stretch.outputs.length === 0;
}

function addText(stretches: Stretch[], start: number, text: string): void {
  if (text === '') return;
  const last = stretches.at(-1);
  if (last?.kind === 'text') stretches[stretches.length - 1] = { ...last, text: last.text + text };
  else stretches.push({ kind: 'text', start, text });
}

function addPart(stretches: Stretch[], part: AnswerPart): void {
  if (!isShown(part)) return;
  const last = stretches.at(-1);
  if (part.kind === 'output' && last?.kind === 'part' && last.part.kind === 'code')
    stretches[stretches.length - 1] = { ...last, outputs: [...last.outputs, part] };
  else stretches.push({ kind: 'part', part, outputs: [] });
}

/** Thoughts between which something else came stand apart. */
function joinThoughts(before: string, next: string): string {
  return before === '' ? next : `${before.trimEnd()}\n\n${next.trimStart()}`;
}

function isShown(part: AnswerPart): part is ShownPart {
  return part.kind === 'code' || part.kind === 'output' || part.kind === 'image';
}
