import type { NoteNumber } from './parse/number-notes.ts';
import type { AnswerBlock } from './parse/split-blocks.ts';

export type Footnote = Extract<AnswerBlock, { kind: 'footnote' }>;

/** What ties the blocks of an answer together: definitions of links, and footnotes. */
export interface AnswerTies {
  /** The definitions of links, as they are written. */
  definitions: string;
  /** The footnotes that something points to, in the order of their numbers, from 1. */
  footnotes: readonly Footnote[];
  /** The source of the block that points to each first, by its label. */
  firsts: ReadonlyMap<string, string>;
}

/** What one block must know of the others to be drawn. */
export interface BlockTies {
  definitions: string;
  notes: Record<string, NoteNumber>;
}

const REFERENCE = /\[\^([^\]\s]{1,100})\]/g;

/** Reads what ties the blocks together; null for an answer whose blocks stand alone, as nearly all do. */
export function tieBlocks(blocks: readonly AnswerBlock[]): AnswerTies | null {
  const definitions: string[] = [];
  const written = new Map<string, Footnote>();
  for (const block of blocks) {
    if (block.kind === 'definition') definitions.push(block.source.trim());
    if (block.kind === 'footnote' && !written.has(block.label)) written.set(block.label, block);
  }
  if (definitions.length === 0 && written.size === 0) return null;
  const firsts = new Map<string, string>();
  for (const { kind, source } of written.size === 0 ? [] : blocks) {
    if (kind !== 'markdown' && kind !== 'table') continue;
    for (const label of labelsIn(source))
      if (written.has(label) && !firsts.has(label)) firsts.set(label, source);
  }
  const footnotes = [...firsts.keys()].flatMap((label) => written.get(label) ?? []);
  return { definitions: definitions.join('\n'), footnotes, firsts };
}

/** What of an answer's ties concerns the block with this source, as JSON, which is easily compared; '' for nothing. */
export function tiesOf(ties: AnswerTies | null, source: string): string {
  if (!ties || !source.includes('[')) return '';
  const { definitions, footnotes, firsts } = ties;
  const labels = new Set(labelsIn(source));
  const notes = footnotes.flatMap(({ label }, place): [string, NoteNumber][] =>
    labels.has(label) ? [[label, { number: place + 1, isFirst: firsts.get(label) === source }]] : [],
  );
  if (definitions === '' && notes.length === 0) return '';
  return JSON.stringify({ definitions, notes: Object.fromEntries(notes) } satisfies BlockTies);
}

/** The source with what it points to behind it, so that it can be read by itself. */
export function withTies(source: string, { definitions, notes }: BlockTies): string {
  const stubs = Object.keys(notes).map((label) => `[^${label}]: …`);
  return [source, definitions, ...stubs].filter((part) => part !== '').join('\n\n');
}

function labelsIn(source: string): string[] {
  return [...source.matchAll(REFERENCE)].map(([, label = '']) => label.toLowerCase());
}
