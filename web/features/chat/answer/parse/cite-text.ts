import type { SourcesPart } from '#contract/message/parts.ts';
import { type MarkedBlock, placeMarks, withFootnotes } from './place-marks.ts';
import { EMPTY_SPLIT, splitBlocks } from './split-blocks.ts';

/** An answer as Markdown with its sources as footnotes, for copying. Of a very long one only the list stands at its end. */
export function citeText(answer: string, { sources, supports }: SourcesPart): string {
  const { blocks, more, text } = splitBlocks(EMPTY_SPLIT, answer);
  const isWhole = !more && text.length === answer.length;
  const marks = isWhole ? placeMarks(blocks, supports) : [];
  const body = isWhole
    ? blocks.map(({ source }, place) => cited(source, marks[place] ?? null)).join('')
    : answer;
  const list = sources.map(({ url, title }, place) => `[^${place + 1}]: ${oneLine(title)} <${oneLine(url)}>`);
  return [body.trimEnd(), list.join('\n')].filter((part) => part !== '').join('\n\n');
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
