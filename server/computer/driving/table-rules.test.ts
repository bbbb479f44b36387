import { expect, test } from 'vitest';
import { writeTable } from '#contract/message/write-table.ts';
import type { PageTable } from '../host/read-page.ts';
import { choosePageTables } from './table-rules.ts';

const table = (rows: string[][], over: Partial<PageTable> = {}): PageTable => ({
  ...{ heading: 'Prices', hasHead: true, isCut: false, rows },
  ...over,
});
const choose = (tables: PageTable[], secrets: string[] = [], url = 'http://shop.test/prices') =>
  choosePageTables({ url, title: 'Shop', tables }, new Set(secrets));
const TEA = [
  ['Name', 'Price'],
  ['Tea', '¥3'],
];

test('a table is a part with its number, its heading or the title of its page, its address and its rows', () => {
  const isCut = false;
  expect(choose([table(TEA), table(TEA.slice(1).concat(TEA), { heading: '', hasHead: false })])).toEqual([
    { kind: 'table', n: 1, title: 'Prices', url: 'http://shop.test/prices', hasHead: true, isCut, rows: TEA },
    {
      ...{ kind: 'table', n: 2, title: 'Shop', url: 'http://shop.test/prices', hasHead: false, isCut },
      rows: [TEA[1], ...TEA],
    },
  ]);
});

test('rows and columns without text are left out, and a table of one row or one column is none', () => {
  const rows = [
    ['', '', '', ''],
    ['Name', '', 'Price', '\u200B'],
    ['Tea', ' ', '¥3', ''],
  ];
  expect(choose([table(rows)])).toMatchObject([{ hasHead: false, rows: TEA }]);
  expect(choose([table(TEA.map(([name = '']) => [name, '']))])).toEqual([]);
  expect(choose([table(TEA.map((row, at) => (at === 0 ? ['', ''] : row)))])).toEqual([]);
  expect(choose([table([]), table([[], []])])).toEqual([]);
});

test('what was typed into a secret field stands in no cell, heading, title or address, however a page splits it', () => {
  const secret = 'hunter  22ü';
  const [part] = choose(
    [
      table([
        ['Name', 'hunter 22ü'],
        [`${'x'.repeat(295)}hunter 22ü`, 'hun\u202Eter\u0000 22ü'],
      ]),
      table(TEA, { heading: `of ${secret}` }),
    ],
    [secret],
    'http://shop.test/?q=hunter%20%2022%C3%BC',
  );
  expect(JSON.stringify(part)).not.toMatch(/hunt|22/);
  expect(part?.rows[0]).toEqual(['Name', '•••']);
  expect(part?.url).toBe('http://shop.test/?q=•••');
  expect(choose([table(TEA, { heading: `of ${secret}` })], [secret])[0]?.title).toBe('of •••');
  expect(choose([table(TEA)], ['\u0000\u0001\u0002'])[0]?.rows).toEqual(TEA);
});

test.each([
  ['as it is', 'p@ss w[ö]rd#1+2', 'p@ss w[ö]rd#1+2'],
  ['by a form', 'p@ss w[ö]rd#1+2', 'p%40ss+w%5B%C3%B6%5Drd%231%2B2'],
  ['by encodeURIComponent', 'p@ss w[ö]rd#1+2', 'p%40ss%20w%5B%C3%B6%5Drd%231%2B2'],
  ['by encodeURI', 'p@ss w(ö)rd', 'p@ss%20w(%C3%B6)rd'],
  ['by the browser, of what a script left as it was', "p@ss w[ö]rd'^", 'p@ss%20w[%C3%B6]rd%27^'],
])('a secret is masked in an address that has it written %s', (_, secret, written) => {
  const [part] = choose([table(TEA)], [secret], `http://shop.test/?q=${written}&n=1`);
  expect(part?.url).toBe('http://shop.test/?q=•••&n=1');
});

test('at most five tables and 100,000 bytes are kept of a page, and what is cut says so', () => {
  expect(choose(Array(9).fill(table(TEA))).map(({ n }) => n)).toEqual([1, 2, 3, 4, 5]);
  const long = Array(200).fill(Array(3).fill('价'.repeat(100)));
  const parts = choose([table(long), table(long), table(TEA)]);
  expect(parts.map(({ isCut }) => isCut)).toEqual([true, false]);
  expect(parts[1]?.rows).toEqual(TEA);
  const bytes = Buffer.byteLength(JSON.stringify(parts));
  expect(bytes).toBeGreaterThan(99_000);
  expect(bytes).toBeLessThanOrEqual(100_000);
  const [wide] = choose([
    table([
      ['Name', 'Price'],
      ['Tea', '¥'.repeat(400)],
    ]),
  ]);
  expect(wide?.isCut).toBe(true);
  expect(wide?.rows[1]?.[1]).toHaveLength(300);
});

test('no cell of its CSV is a formula, and its name is one', () => {
  const [part] = choose([
    table(
      [
        ['=HYPERLINK("http://evil.test","a")', '+1'],
        ['@SUM(A1)', '-2+3'],
        ['a,"b"', '\t=1'],
        ['＝1+1', '＠A1'],
      ],
      { heading: '../Tea: "new"' },
    ),
  ]);
  if (!part) throw new Error('no table');
  expect(writeTable(part)).toEqual({
    name: '.. Tea new.csv',
    text: `\uFEFF"'=HYPERLINK(""http://evil.test"",""a"")",'+1\r\n'@SUM(A1),'-2+3\r\n"a,""b""",'=1\r\n'＝1+1,'＠A1\r\n`,
  });
  expect(writeTable({ ...part, title: ' ' }).name).toBe('shop.test.csv');
  expect(writeTable({ ...part, title: '', url: '' }).name).toBe('table.csv');
});
