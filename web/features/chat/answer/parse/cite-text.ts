import type { SourcesPart } from '#contract/message/parts.ts';
import {
  countLineEndsOnce,
  type MarkedBlock,
  placeMarks,
  type Support,
  withFootnotes,
} from './place-marks.ts';
import { EMPTY_SPLIT, splitBlocks } from './split-blocks.ts';

/** A text as Markdown with the marks of footnotes behind what sources support, and with plain line ends. */
export function markText(text: string, supports: readonly Support[]): string {
  let split = splitBlocks(EMPTY_SPLIT, text);
  while (split.more) split = splitBlocks(split, text);
  const { blocks } = split;
  const marks = placeMarks(blocks, countLineEndsOnce(text, supports));
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
