import { memo, useState } from 'react';
import type { Components } from 'react-markdown';
import { useTranslation } from '#web/lib/i18n.tsx';
import { MARKDOWN_ELEMENTS } from './markdown-elements.tsx';
import { MarkdownText } from './markdown-text.tsx';
import { ScrollingTable } from './scrolling-table.tsx';
import { tablePieces } from './table-pieces.ts';

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
