import { memo, useState } from 'react';
import type { Components } from 'react-markdown';
import { useTranslation } from '#web/lib/i18n.tsx';
import { MARKDOWN_ELEMENTS, ScrollingTable } from './markdown-elements.tsx';
import { MarkdownText } from './markdown-text.tsx';

/** Pieces that are shown at first, and with every press of the button: the widths of all cells depend on each other. */
const SHOWN = 5;
const FIRST_PIECE: Components = { ...MARKDOWN_ELEMENTS, table: ({ children }) => children };
/** The head is drawn with the first piece only. */
const LATER_PIECE: Components = { ...FIRST_PIECE, thead: () => null };

const Piece = memo(MarkdownText);

interface LongTableProps {
  messageId: string;
  source: string;
  open: boolean;
  /** See `tiesOf`. */
  ties: string;
}

/** A table of any length, read piece by piece; of one with thousands of cells, more rows are shown on demand. */
export function LongTable({ source, open, ...shared }: LongTableProps) {
  const { t } = useTranslation('common');
  const [count, setCount] = useState(SHOWN);
  const { pieces, rowsInPiece, rows } = tablePieces(source);
  const shown = pieces.slice(0, count);
  const left = rows - shown.length * rowsInPiece;
  return (
    <>
      <ScrollingTable>
        {shown.map((piece, place) => (
          <Piece
            // biome-ignore lint/suspicious/noArrayIndexKey: a piece never changes its place.
            key={place}
            {...shared}
            source={piece}
            open={open && place === pieces.length - 1}
            elements={place === 0 ? FIRST_PIECE : LATER_PIECE}
          />
        ))}
      </ScrollingTable>
      {left > 0 ? (
        <button type="button" className="more-rows" onClick={() => setCount(count + SHOWN)}>
          {t('chat.tableMore', { count: Math.min(left, SHOWN * rowsInPiece), left })}
        </button>
      ) : null}
    </>
  );
}

/** Cells that are drawn as one piece. */
const PIECE_CELLS = 400;

/** The sources of a table's pieces: each has the head and some of the rows, so that each can be read by itself. */
function tablePieces(source: string): { pieces: string[]; rowsInPiece: number; rows: number } {
  const [head = '', rule = '', ...rows] = source.trimEnd().split('\n');
  const columns = Math.max(1, rule.split('|').length - 2);
  const rowsInPiece = Math.max(1, Math.floor(PIECE_CELLS / columns));
  const pieces: string[] = [];
  for (let from = 0; from < Math.max(1, rows.length); from += rowsInPiece) {
    pieces.push([head, rule, ...rows.slice(from, from + rowsInPiece)].join('\n'));
  }
  return { pieces, rowsInPiece, rows: rows.length };
}
