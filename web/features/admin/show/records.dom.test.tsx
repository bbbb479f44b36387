import { afterEach, beforeEach, expect, it } from 'vitest';
import { all, closePage, draw, openPage } from '#test/dom/page.ts';
import { type Column, Records } from './records.tsx';

interface Row {
  id: string;
  note: string;
}

const COLUMNS: Column<Row>[] = [
  { name: 'Name', cell: ({ id }) => id },
  { name: 'Note', cell: ({ note }) => note },
  { name: 'Act', kind: 'action', cell: () => <button type="button">Go</button> },
];

beforeEach(() => openPage('http://localhost'));
afterEach(closePage);

it('a table stays one where its rows are drawn as cards, and each cell names its column', () => {
  const rows = [
    { id: 'a', note: 'first' },
    { id: 'b', note: '' },
  ];
  draw(<Records label="Things" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} empty="Nothing" />);
  const count = (role: string) => all(`[role=${role}]`).length;
  expect(all('table[role=table] > caption').map(({ textContent }) => textContent)).toEqual(['Things']);
  expect(['rowgroup', 'row', 'columnheader', 'cell'].map(count)).toEqual([2, 3, 3, 6]);
  const labels = all('tbody tr:first-child td').map((cell) => cell.getAttribute('data-label'));
  expect(labels).toEqual(['Name', 'Note', 'Act']);
  expect(all('td.is-empty').map((cell) => cell.getAttribute('data-label'))).toEqual(['Note']);
});
