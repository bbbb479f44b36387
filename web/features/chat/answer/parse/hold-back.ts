import { holdBareMark } from './hold-bare-mark.ts';

/** What may stand before a row: an indent, the marks of a quotation. */
const BEFORE = /^[ \t>]*/;
const DELIMITER = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?$/;
/** As much of a delimiter row as is there. */
const BEGUN_DELIMITER = /^[|:\- \t]*$/;
const FENCE = /^[ \t>]*(?:`{3,}|~{3,})/gm;

/** A text that goes on, without what at its end is not known yet to be a part of a table or of a list. */
export function holdBack(source: string): string {
  return holdBareMark(holdTableHead(source));
}

/**
 * A text that goes on, without the row at its end that begins with `|` and may become the head of a table: it is drawn once the row
 * beneath it says whether it does. A table that is one already stays, and so does a row that can be no head.
 */
export function holdTableHead(source: string): string {
  const text = source.endsWith('\n') ? source.slice(0, -1) : source;
  const lastFrom = text.lastIndexOf('\n') + 1;
  if (isInTable(text, lastFrom)) return source;
  const last = rowOf(text, lastFrom);
  const headFrom = lastFrom < 2 ? 0 : text.lastIndexOf('\n', lastFrom - 2) + 1;
  const head = rowOf(text, headFrom, lastFrom - 1);
  if (head.startsWith('|') && BEGUN_DELIMITER.test(last)) {
    const isOpen = text === source && countCells(last) <= countCells(head);
    return isOpen && !isDelimiterOf(last, head) ? outsideCode(source, headFrom) : source;
  }
  return last.startsWith('|') ? outsideCode(source, lastFrom) : source;
}

/** The text before a place; all of it where the place is in a block of code. */
function outsideCode(source: string, place: number): string {
  const before = source.slice(0, place);
  return (before.match(FENCE)?.length ?? 0) % 2 === 1 ? source : before;
}

/** Whether the lines before a place, up to an empty one, hold a head with its delimiter row. */
function isInTable(source: string, place: number): boolean {
  let below = '';
  for (let to = place - 1; to > 0; ) {
    const from = source.lastIndexOf('\n', to - 1) + 1;
    const row = rowOf(source, from, to);
    if (row === '') return false;
    if (below !== '' && isDelimiterOf(below, row)) return true;
    below = row;
    to = from - 1;
  }
  return false;
}

function rowOf(text: string, from: number, to = text.length): string {
  return text.slice(from, Math.max(from, to)).replace(BEFORE, '').trimEnd();
}

function isDelimiterOf(row: string, head: string): boolean {
  return DELIMITER.test(row) && countCells(row) === countCells(head);
}

function countCells(row: string): number {
  return row
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/).length;
}
