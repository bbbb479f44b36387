import type { SourcesPart } from '#contract/message/parts.ts';
import { type MarkedBlock, placeMarks, type Support, withFootnotes } from './place-marks.ts';
import { EMPTY_SPLIT, splitBlocks } from './split-blocks.ts';

/** A text as Markdown with the marks of footnotes behind what sources support; a very long one without. */
export function markText(text: string, supports: readonly Support[]): string {
  const { blocks, more, text: read } = splitBlocks(EMPTY_SPLIT, text);
  if (more || read.length !== text.length) return text.trimEnd();
  const marks = placeMarks(blocks, supports);
  return blocks
    .map(({ source }, place) => cited(source, marks[place] ?? null))
    .join('')
    .trimEnd();
}

/** The footnotes of sources, each a line. */
export function listSources(sources: SourcesPart['sources']): string {
  return sources
    .map(({ url, title }, place) => `[^${place + 1}]: ${oneLine(title)} <${oneLine(url)}>`)
    .join('\n');
}

function cited(source: string, marked: MarkedBlock | null): string {
  if (!marked) return source;
  const text = withFootnotes(marked.source);
  if (marked.behind.length === 0) return text;
  const behind = marked.behind.map((place) => `[^${place + 1}]`).join('');
  return `${text.trimEnd()}\n\n${behind}\n\n`;
}

function oneLine(text: string): string {
  return text
    .replace(/\p{Cc}|\p{Bidi_Control}/gu, ' ')
    .replace(/[<>[\]]/g, '')
    .trim();
}
