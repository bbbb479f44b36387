import { useMemo, useRef, useState } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useFocusWithin } from '../overlay/use-focus-within.ts';
import { PlainText } from './plain-text.tsx';

const ROWS_SHOWN = 100;
/** Of the rows that are shown at a time. */
const MAX_CELLS = 20_000;
/** A browser lays out a thousand in a tenth of a second, a hundred thousand in many seconds, in which the page stands still. */
const MAX_COLUMNS = 1_000;
/** 1,200.50, -3, ¥20 or 5%; but not 007, which is a code. */
const NUMBER = /^[-+−]?[¥$€£]?(0|[1-9]\d*|[1-9]\d{0,2}(,\d{3})+)(\.\d+)?%?$/;

/** The sheets of a workbook's text: each begins with a line `# name`, behind an empty line but for the first. */
export function splitSheets(text: string): { name: string; text: string }[] {
  const sheets: { name: string; text: string }[] = [];
  for (const part of text.split(/\n\n(?=# )/)) {
    const [first = '', ...rest] = part.split('\n');
    if (first.startsWith('# ')) sheets.push({ name: first.slice(2).trim(), text: rest.join('\n') });
    else if (part.trim() !== '') sheets.push({ name: '', text: part });
  }
  return sheets;
}

/** The cells of a text in CSV (RFC 4180), row by row. Quotes where the RFC has none are text: nothing is left out. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cells = text.matchAll(/(?:"([^"]*(?:""[^"]*)*)(?:"|$))?([^,\r\n]*)(,|\r?\n|$)/g);
  for (const [, quoted = '', plain = '', end] of cells) {
    row.push(quoted.replaceAll('""', '"') + plain);
    if (end === ',') continue;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
    if (end === '') break;
  }
  return rows;
}

/** Which columns hold numbers and nothing else, by their place. */
function numbersIn(rows: readonly string[][]): boolean[] {
  const columns: boolean[] = [];
  for (const row of rows)
    for (const [place, cell] of row.entries())
      if (cell.trim() !== '') columns[place] = (columns[place] ?? true) && NUMBER.test(cell.trim());
  return columns;
}

/** A sheet as a table, its first row as the head; more rows on demand. One with very many columns is shown as the text that it is. */
export function CsvTable({ name, text }: { name: string; text: string }) {
  const cells = useMemo(() => readCsv(text), [text]);
  const columns = cells.reduce((most, { length }) => Math.max(most, length), 1);
  return (
    <section className="mb-6 last:mb-0">
      {name === '' ? null : (
        <h3 dir="auto" className="mb-2 font-medium [text-autospace:no-autospace]">
          {name}
        </h3>
      )}
      {columns > MAX_COLUMNS ? <PlainText text={text} /> : <Table cells={cells} columns={columns} />}
    </section>
  );
}

function Table({ cells, columns }: { cells: string[][]; columns: number }) {
  const { t } = useTranslation('common');
  const step = Math.min(ROWS_SHOWN, Math.floor(MAX_CELLS / columns));
  const [count, setCount] = useState(step);
  const { head, rows, numbers } = useMemo(() => {
    const [head = [], ...rows] = cells;
    return { head, rows, numbers: numbersIn(rows) };
  }, [cells]);
  const box = useRef<HTMLDivElement>(null);
  useFocusWithin(box);
  const sideOf = (place: number) => (numbers[place] ? 'text-right' : 'text-left');
  const left = rows.length - count;
  return (
    <>
      <div
        ref={box}
        data-focus-first
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard too.
        tabIndex={0}
        className="max-h-[60dvh] overflow-auto rounded-control border border-line [text-autospace:no-autospace]"
      >
        <table className="w-full border-collapse text-sm tabular-nums">
          <thead className="sticky top-0 bg-sunken">
            <tr>
              {head.map((cell, place) => {
                const Cell = cell === '' ? 'td' : 'th';
                return (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place.
                  <Cell key={place} dir="auto" className={`px-3 py-2 font-medium ${sideOf(place)}`}>
                    {cell}
                  </Cell>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, count).map((row, number) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place.
              <tr key={number} className="border-line border-t">
                {row.map((cell, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place.
                  <td key={place} dir="auto" className={`px-3 py-1.5 align-baseline ${sideOf(place)}`}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {left > 0 ? (
        <button
          type="button"
          onClick={() => setCount(count + step)}
          className="mt-2 min-h-9 rounded-control px-2 text-sm text-soft hover:bg-sunken hover:text-ink"
        >
          {t('chat.tableMore', { count: Math.min(left, step), left })}
        </button>
      ) : null}
    </>
  );
}
