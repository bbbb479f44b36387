import type { TablePart } from '#contract/message/parts.ts';
import { cleanName } from '#server/platform/clean-text.ts';
import type { ReadResult } from '../host/protocol.ts';
import type { PageTable } from '../host/read-page.ts';
import { maskSecrets } from './call-rules.ts';

/** Tables of one answer, and their bytes together as they are stored. */
const MAX_TABLES = 5;
const MAX_BYTES = 100_000;
/** Characters of the heading of a table. */
const MAX_TITLE = 200;
const MAX_CELL = 300;

/**
 * The tables of a page as parts of an answer: text without secrets, at most 5 tables and 100,000 bytes together. Rows and columns without
 * any text are left out; then tables with only one row or column are dropped.
 */
export function choosePageTables(
  { url, title, tables }: Omit<ReadResult, 'secrets'>,
  secrets: ReadonlySet<string>,
): TablePart[] {
  const hidden = new Set([...secrets].flatMap(spellingsOf));
  const clean = (text: string) => maskSecrets(cleanName(text), hidden);
  const address = maskSecrets(url.toWellFormed(), secrets);
  const parts: TablePart[] = [];
  let left = MAX_BYTES;
  for (const table of tables) {
    if (parts.length === MAX_TABLES) break;
    const { heading, ...found } = withoutEmpty(table, clean);
    const part: TablePart = {
      kind: 'table',
      n: parts.length + 1,
      title: cut(heading || clean(title), MAX_TITLE),
      url: address,
      ...found,
    };
    const fitted = bound(part, left);
    if (fitted.rows.length < 2 || (fitted.rows[0]?.length ?? 0) < 2) continue;
    parts.push(fitted);
    left -= bytesOf(fitted);
  }
  return parts;
}

/** Secrets as they were typed, and as a cell shows them. */
function spellingsOf(secret: string): string[] {
  return [secret, cleanName(secret).replace(/\s+/g, ' ')].filter((spelling) => spelling !== '');
}

function withoutEmpty({ heading, hasHead, isCut, rows }: PageTable, clean: (text: string) => string) {
  const cleaned = rows.map((row) => row.map(clean));
  const isCellCut = cleaned.some((row) => row.some((cell) => cell.length > MAX_CELL));
  const filled = cleaned.filter((row) => row.some((cell) => cell !== ''));
  const isFilled = (_: string, place: number) => filled.some((row) => row[place] !== '');
  return {
    heading: clean(heading),
    hasHead: hasHead && filled[0] === cleaned[0],
    isCut: isCut || isCellCut,
    rows: filled.map((row) => row.filter(isFilled).map((cell) => cut(cell, MAX_CELL))),
  };
}

/** The table with as many of its rows as have room. */
function bound(part: TablePart, bytes: number): TablePart {
  let left = bytes - bytesOf({ ...part, rows: [] });
  const end = part.rows.findIndex((row) => {
    left -= bytesOf(row) + 1;
    return left < 0;
  });
  return end < 0 ? part : { ...part, isCut: true, rows: part.rows.slice(0, end) };
}

function bytesOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`.toWellFormed();
}
