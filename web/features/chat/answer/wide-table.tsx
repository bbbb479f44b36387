import type { ReactNode } from 'react';
import type { Components } from 'react-markdown';

/** Cells that are drawn as one piece. */
const PIECE_CELLS = 400;

/** A table in a box that scrolls by itself. */
export function ScrollingTable({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard too.
    <div className="table" tabIndex={0}>
      <table>{children}</table>
    </div>
  );
}

/** The sources of a table's pieces: each has the head and some of the rows, so that each can be read by itself. */
export function tablePieces(source: string): string[] {
  const [head = '', rule = '', ...rows] = source.trimEnd().split('\n');
  const columns = rule.split('|').length;
  const size = Math.max(1, Math.floor(PIECE_CELLS / columns));
  const pieces: string[] = [];
  for (let from = 0; from < Math.max(1, rows.length); from += size) {
    pieces.push([head, rule, ...rows.slice(from, from + size)].join('\n'));
  }
  return pieces;
}

/** The elements of a piece inside of a table; the head is drawn with the first one only. */
export function pieceElements(elements: Components, isFirst: boolean): Components {
  return { ...elements, table: ({ children }) => children, ...(isFirst ? {} : { thead: () => null }) };
}
