import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import en from '#i18n/en/common.json' with { type: 'json' };
import { IS_LONG } from '#test/runs.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { tablesOf } from '../files/describe-file.ts';
import { CsvTable } from './csv-table.tsx';

/** The cells of a table as it is shown, row by row. */
function cellsOf(text: string): string[][] {
  const page = renderToStaticMarkup(
    <TranslationProvider language="en" dictionary={en}>
      <CsvTable name="" text={text} />
    </TranslationProvider>,
  );
  const rows = [...page.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)];
  return rows.map(([, row = '']) =>
    [...row.matchAll(/<t[dh] [^>]*>(.*?)<\/t[dh]>/gs)].map(([, cell = '']) => cell.replaceAll('&quot;', '"')),
  );
}

describe('a CSV', () => {
  it.each([
    [
      'plain cells',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'quoted cells',
      '"a,b","say ""hi"""\n"two\nlines",',
      [
        ['a,b', 'say "hi"'],
        ['two\nlines', ''],
      ],
    ],
    [
      'a quote inside a plain cell',
      '5" pipe,3\nx,y',
      [
        ['5" pipe', '3'],
        ['x', 'y'],
      ],
    ],
    ['text behind a quoted cell', '"a" b,c', [['a b', 'c']]],
    ['a quote that never ends', 'a,"b\nc,d', [['a', 'b\nc,d']]],
    [
      'empty lines',
      'a,b\n\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
  ])('is shown with all its cells: %s', (_name, text, cells) => {
    expect(cellsOf(text)).toEqual(cells);
  });
});

it('numbers stand at the right with their head, and codes, dates and text at the left', () => {
  const text = '品名,数量,单价,编号,日期\n钢管,"1,200",¥35.5,007,2026-03-01\n角钢,-80,,12,2026-03-02\n';
  const page = renderToStaticMarkup(
    <TranslationProvider language="en" dictionary={en}>
      <CsvTable name="" text={text} />
    </TranslationProvider>,
  );
  const sides = [...page.matchAll(/<t[dh] [^>]*text-(left|right)/g)].map(([, side]) => side);
  const row = ['left', 'right', 'right', 'left', 'left'];
  expect(sides).toEqual([...row, ...row, ...row]);
});

it.each([
  ['prices.csv', 'text/plain', 'csv'],
  ['PRICES.CSV', 'text/plain', 'csv'],
  ['notes.txt', 'text/plain', null],
  ['book.csv', 'application/pdf', null],
  ['budget.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'sheets'],
  ['budget.ods', 'application/vnd.oasis.opendocument.spreadsheet', 'sheets'],
  ['new.csv', null, null],
])('the tables of %s (%s) are: %s', (name, type, tables) => {
  expect(tablesOf({ name, type })).toBe(tables);
});

describe('a table', () => {
  it('of a hundred thousand columns is shown as its text, which no browser lays out for long', () => {
    expect(cellsOf('a,'.repeat(1_001))).toEqual([]);
    expect(cellsOf('a,'.repeat(999))).toHaveLength(1);
    expect(cellsOf(`a\nb\n${'a,'.repeat(1_001)}`)).toEqual([]);
  });

  it.runIf(IS_LONG)('of many columns is shown by fewer rows at a time', () => {
    expect(cellsOf(`${'a,'.repeat(999)}\n`.repeat(60))).toHaveLength(21);
    expect(cellsOf('a,b\n'.repeat(300))).toHaveLength(101);
  });
});
