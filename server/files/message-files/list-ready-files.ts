import { type FileRow, selectReadyFiles } from '../state/file-store.ts';
import { type ContentDeps, readContent, readWhole } from '../state/read-content.ts';

/** A file as a turn reads it. */
export type TurnFile = Pick<
  FileRow,
  'id' | 'conversationId' | 'name' | 'bytes' | 'pages' | 'width' | 'height' | 'hasText' | 'everyTurn'
> & {
  /** MIME type, found in its bytes. */
  type: string;
  tokens: number;
  /** Hex. */
  sha256: string;
  /** Bytes [from, to), the whole unless said otherwise; the next piece is read when the one before was taken. */
  content(range?: { from?: number; to?: number }): AsyncGenerator<Buffer>;
  /** The text that was found in it; '' without any. */
  text(): Promise<string>;
};

/** The files of the user among the given ones that are ready, by id. Missing ones were deleted. Contents are read when asked for. */
export async function listReadyFiles(
  deps: ContentDeps,
  userId: string,
  fileIds: readonly string[],
): Promise<Map<string, TurnFile>> {
  if (fileIds.length === 0) return new Map();
  const rows = await selectReadyFiles(deps.database.sql, userId, fileIds);
  return new Map(rows.map((row) => [row.id, toTurnFile(deps, row)]));
}

function toTurnFile(deps: ContentDeps, row: FileRow): TurnFile {
  const { id, conversationId, name, bytes, pages, width, height, hasText, everyTurn } = row;
  return {
    id,
    conversationId,
    name,
    bytes,
    pages,
    width,
    height,
    hasText,
    everyTurn,
    type: row.type ?? '',
    tokens: row.tokens ?? 0,
    sha256: row.sha256 ?? '',
    content: ({ from = 0, to = bytes } = {}) => readContent(deps, row, 'content', { from, to }),
    text: async () => (hasText ? (await readWhole(deps, row, 'text')).toString('utf8') : ''),
  };
}
