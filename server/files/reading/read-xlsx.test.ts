import { expect, test } from 'vitest';
import type { Archive } from './open-archive.ts';
import { readXlsx } from './read-xlsx.ts';
import { READING_LIMITS } from './reading-rules.ts';

const TYPE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${TYPE}/${type}" Target="${target}"/>`;

/** What a workbook says whose one row has these cells, with its styles or its shared texts. */
async function read(cells: string, type: 'styles' | 'sharedStrings', content: string): Promise<string> {
  const parts = new Map([
    ['xl/workbook.xml', '<workbook><sheets><sheet name="S" r:id="r1"/></sheets></workbook>'],
    [
      'xl/_rels/workbook.xml.rels',
      `<Relationships>${relation('r1', 'worksheet', 'sheet.xml')}${relation('r2', type, 'more.xml')}</Relationships>`,
    ],
    ['xl/more.xml', content],
    ['xl/sheet.xml', `<worksheet><sheetData><row>${cells}</row></sheetData></worksheet>`],
  ]);
  const archive: Archive = {
    has: (name) => parts.has(name),
    names: () => parts.keys(),
    async *read(name) {
      yield Buffer.from(parts.get(name) ?? '');
    },
  };
  return (await readXlsx(archive, 'xl/workbook.xml', READING_LIMITS)).text;
}

/** What a workbook says whose one row has numbers in these formats: by number, or as it is written. */
function textOf(...cells: [format: number | string, value: number][]): Promise<string> {
  const formats = cells.map(([format], n) => (typeof format === 'number' ? format : 200 + n));
  const own = cells.map(([format], n) => `<numFmt numFmtId="${200 + n}" formatCode="${format}"/>`);
  const values = cells.map(([, value], n) => `<c s="${n}"><v>${value}</v></c>`);
  const styles = `${own.join('')}<cellXfs>${formats.map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs>`;
  return read(values.join(''), 'styles', `<styleSheet>${styles}</styleSheet>`);
}

test('a length of time is hours, minutes and seconds, however many days it is', async () => {
  expect(await textOf([46, 1.5], ['[h]:mm', 0.25], ['[mm]:ss', 2], ['[h]:mm', -0.5])).toBe(
    '# S\n36:00:00,06:00:00,48:00:00,-12:00:00\n',
  );
});

test('a day is ISO 8601, a time of a day stands alone, and colours and conditions make no length', async () => {
  const text = await textOf([14, 46_082], ['yyyy/m/d h:mm', 46_082.5], [20, 0.25], ['[Red]0.00', 1.5]);
  expect(text).toBe('# S\n2026-03-01,2026-03-01 12:00:00,06:00:00,1.5\n');
});

test('a cell without a value is blank, whatever kind of value it says to have', async () => {
  const blank = ['s', 'b', 'n', 'str'].map((type) => `<c t="${type}"/>`).join('');
  const cells = `${blank}<c t="s"><v></v></c><c t="s"><v>0</v></c><c t="b"><v>0</v></c>`;
  expect(await read(cells, 'sharedStrings', '<sst><si><t>Price</t></si></sst>')).toBe(
    '# S\n,,,,,Price,FALSE\n',
  );
});
