import { z } from 'zod';

const MAX_TABLES = 20;
const MAX_ROWS = 200;
const MAX_COLUMNS = 30;
/** Characters of a cell that are read: more than are shown, so that a masked text is not cut in the middle. */
const MAX_CELL = 1_000;
const MAX_HEADING = 1_000;
/** Characters of all tables together: the report of a page is one line of the protocol. */
const MAX_CHARACTERS = 200_000;

/**
 * Evaluated in a world of its own in the page: its tables of data as they are shown, as text. A table that has another in it, one row
 * or one column is there for the layout. A cell that spans others is followed by empty ones.
 */
export const READ_PAGE = `(() => {
  const plain = (text, length) => (text ?? '').replace(/\\s+/g, ' ').trim().slice(0, length);
  let left = ${MAX_CHARACTERS};
  const place = (grid, y, x, height, width, text) => {
    for (let down = 0; down < height; down += 1)
      for (let right = 0; right < width; right += 1)
        (grid[y + down] ??= [])[x + right] = down + right === 0 ? text : '';
  };
  const read = (table) => {
    const shown = [...table.rows].filter((row) => row.checkVisibility());
    const rows = shown.slice(0, ${MAX_ROWS});
    let isCut = shown.length > rows.length;
    const grid = [];
    let y = 0;
    for (; y < rows.length; y += 1) {
      grid[y] ??= [];
      let x = 0;
      for (const cell of rows[y].cells) {
        if (!cell.checkVisibility()) continue;
        while (grid[y][x] !== undefined) x += 1;
        if (x >= ${MAX_COLUMNS}) {
          isCut = true;
          break;
        }
        const text = plain(cell.innerText, ${MAX_CELL});
        const height = Math.min(cell.rowSpan || 1, rows.length - y);
        place(grid, y, x, height, Math.min(cell.colSpan, ${MAX_COLUMNS} - x), text);
      }
      for (const text of grid[y]) left -= (text ?? '').length;
      if (left < 0) {
        isCut = true;
        break;
      }
    }
    const width = Math.max(0, ...grid.slice(0, y).map((row) => row.length));
    const isHead = (row) => row.parentElement === table.tHead || [...row.cells].every((cell) => cell.localName === 'th');
    return {
      hasHead: rows.length > 0 && isHead(rows[0]),
      isCut,
      rows: grid.slice(0, y).map((row) => Array.from({ length: width }, (_, x) => row[x] ?? '')),
    };
  };
  let before = null;
  const tables = [];
  // A page can name an element like a function of its document.
  const found = Document.prototype.querySelectorAll.call(document, 'h1, h2, h3, h4, h5, h6, table');
  for (const element of found) {
    if (tables.length === ${MAX_TABLES} || left < 0) break;
    if (!(element instanceof HTMLTableElement)) {
      before = element;
      continue;
    }
    const isLayout = /^(presentation|none)$/.test(element.getAttribute('role') ?? '') || element.querySelector('table');
    if (isLayout || !element.checkVisibility()) continue;
    const table = read(element);
    if (table.rows.length < 2 || table.rows[0].length < 2) continue;
    const heading = plain(element.caption?.innerText, ${MAX_HEADING}) || plain(before?.innerText, ${MAX_HEADING});
    tables.push({ heading, ...table });
  }
  return tables;
})()`;

/** A table of a page: its caption or the heading before it, empty where there is none, and its rows, which are of one length. */
export const pageTableSchema = z.object({
  heading: z.string().max(MAX_HEADING),
  /** The first row names the columns. */
  hasHead: z.boolean(),
  /** Whether the page has more rows. */
  isCut: z.boolean(),
  rows: z.array(z.array(z.string().max(MAX_CELL)).max(MAX_COLUMNS)).max(MAX_ROWS),
});
export type PageTable = z.infer<typeof pageTableSchema>;

const pageSchema = z.array(pageTableSchema).max(MAX_TABLES);

/** The tables in the answer of `READ_PAGE`; none where a page returns something else. */
export function parsePage(value: unknown): PageTable[] {
  const parsed = pageSchema.safeParse(value);
  return parsed.success && sizeOf(parsed.data) <= MAX_CHARACTERS ? parsed.data : [];
}

function sizeOf(tables: readonly PageTable[]): number {
  return tables.flatMap(({ rows }) => rows.flat()).reduce((size, { length }) => size + length, 0);
}
