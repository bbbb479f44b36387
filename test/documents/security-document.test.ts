import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type CitingRow, isThere, rowsOf } from './cited-tests.ts';

const DOCUMENT = readFileSync('docs/security.md', 'utf8');

const [requirements = '', advisories = ''] = DOCUMENT.split('\n## Advisories\n');

const [, known = ''] = advisories.split('\n## What is known and left\n');
/** Numbers of requirements, as the list of deviations names them before what it says of each. */
const listed = known
  .split('\nAnd beside the standard:\n')[0]
  ?.match(/(?<=^- |\. |, )\d+(\.\d+){2}(?=[,:])/gm);
const isDeviation = ({ cells }: CitingRow) => cells.some((cell) => cell.includes('**Deviation**'));
const numbersOf = ({ names }: CitingRow) => names.match(/\d+(\.\d+)+/g) ?? [];

describe('docs/security.md', () => {
  it('has the requirements and the advisories', () => {
    expect(rowsOf(requirements).length).toBeGreaterThan(55);
    expect(rowsOf(advisories).length).toBeGreaterThan(40);
  });

  it.each([...rowsOf(requirements), ...rowsOf(advisories)].map((row) => [row.names, row] as const))(
    '%s names tests that exist',
    (_, { tests, cells }) => {
      if (!cells.at(-1)?.startsWith('Does not apply: ')) expect(tests.length).toBeGreaterThan(0);
      expect(tests.filter((test) => !isThere(test))).toEqual([]);
    },
  );

  it.each(rowsOf(advisories).map((row) => [row.names, row] as const))(
    '%s is named by a test, where it is one of the identity library’s',
    (names, { cells, tests }) => {
      if (!cells[1]?.startsWith('better-auth')) return;
      for (const name of names.split(', ')) {
        const titles = tests.map(({ title }) => title).filter((title) => title.includes(name));
        expect([name, titles.length > 0]).toEqual([name, true]);
      }
    },
  );

  it.each(
    rowsOf(requirements)
      .filter(isDeviation)
      .map((row) => [row.names, row] as const),
  )('%s is a deviation, and listed as one', (_, row) => {
    expect(numbersOf(row).filter((number) => listed?.includes(number))).not.toEqual([]);
  });

  it('lists no deviation that its lines do not tell, in the order of the numbers', () => {
    const told = new Set(rowsOf(requirements).filter(isDeviation).flatMap(numbersOf));
    const lines = new Set(rowsOf(requirements).flatMap(numbersOf));
    expect(listed?.filter((number) => lines.has(number) && !told.has(number))).toEqual([]);
    const byNumber = new Intl.Collator('en', { numeric: true });
    expect(listed).toEqual(listed?.toSorted(byNumber.compare));
    expect(listed?.length).toBeGreaterThan(10);
  });
});
