/** Cells that are drawn as one piece. */
const PIECE_CELLS = 400;

/** The sources of a table's pieces: each has the head and some of the rows, so that each can be read by itself. */
export function tablePieces(source: string): { pieces: string[]; rowsInPiece: number; rows: number } {
  const [head = '', rule = '', ...rows] = source.trimEnd().split('\n');
  const columns = Math.max(1, rule.split('|').length - 2);
  const rowsInPiece = Math.max(1, Math.floor(PIECE_CELLS / columns));
  const pieces: string[] = [];
  for (let from = 0; from < Math.max(1, rows.length); from += rowsInPiece) {
    pieces.push([head, rule, ...rows.slice(from, from + rowsInPiece)].join('\n'));
  }
  return { pieces, rowsInPiece, rows: rows.length };
}
