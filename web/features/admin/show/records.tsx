// biome-ignore-all lint/a11y/noRedundantRoles: browsers take them from a table that is not drawn as one.
import type { ReactNode } from 'react';
import { classNames } from '#web/ui/class-names.ts';

export interface Column<Row> {
  name: string;
  cell: (row: Row) => ReactNode;
  /** Numbers stand at the right, under each other; what is short is not broken; an action needs no name on a card. */
  kind?: 'number' | 'short' | 'action';
}

interface RecordsProps<Row> {
  /** What is listed, for those who do not see where it stands. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Said where there are none. */
  empty: string;
  /** Figures that several lists have in common: their columns stand under each other. */
  isEven?: boolean;
}

/** A table at a desk, cards on a phone. */
export function Records<Row>({ label, columns, rows, keyOf, empty, isEven = false }: RecordsProps<Row>) {
  if (rows.length === 0) return <p className="text-soft">{empty}</p>;
  return (
    <table role="table" className={classNames('records', isEven && 'is-even')}>
      <caption className="sr-only">{label}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ name, kind }) => (
            <th key={name} role="columnheader" scope="col" className={classNames(kind && `is-${kind}`)}>
              {kind === 'action' ? <span className="sr-only">{name}</span> : name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr role="row" key={keyOf(row)}>
            {columns.map(({ name, cell, kind }) => {
              const content = cell(row);
              const isEmpty = content === null || content === '';
              return (
                <td
                  key={name}
                  role="cell"
                  data-label={name}
                  className={classNames(kind && `is-${kind}`, isEmpty && 'is-empty')}
                >
                  {content}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
