import type { BaseDeps } from '#server/base-deps.ts';
import { AppError } from '#server/errors.ts';
import { type FileSection, findChunk, hasSection } from './chunk-store.ts';
import type { FileRow } from './file-store.ts';

export type ContentDeps = Pick<BaseDeps, 'database' | 'storages'>;

/**
 * Bytes [from, to) of a section of a file, chunk by chunk; the next is read when the one before was taken. Without `to`: to its end.
 * Throws `file_deleted` where the file was deleted meanwhile, so that a part of it is not taken for the whole.
 */
export async function* readContent(
  { database, storages }: ContentDeps,
  file: Pick<FileRow, 'id' | 'storage'>,
  section: FileSection,
  { from = 0, to = null }: { from?: number; to?: number | null } = {},
): AsyncGenerator<Buffer> {
  const storage = section === 'content' ? storages.of(file.storage) : storages.of('database');
  for (let at = from; to === null || at < to; ) {
    const chunk = await findChunk(database.sql, file.id, section, at);
    if (!chunk) {
      if (to === null && at > 0 && (await hasSection(database.sql, file.id, section))) return;
      throw new AppError('file_deleted', { name: '', fileId: file.id });
    }
    const end = Math.min(chunk.length, (to ?? Number.POSITIVE_INFINITY) - chunk.start);
    yield await storage.read(chunk, at - chunk.start, end);
    at = chunk.start + end;
  }
}

/** The whole content of a file, for an archive; nothing where it was deleted since it was listed. */
export async function* exportContent(deps: ContentDeps, file: FileRow): AsyncGenerator<Buffer> {
  if (await findChunk(deps.database.sql, file.id, 'content', 0))
    yield* readContent(deps, file, 'content', { to: file.bytes });
}

/** A whole section of a file, of at most `limit` bytes from its beginning. Throws as `readContent`. */
export async function readWhole(
  deps: ContentDeps,
  file: Pick<FileRow, 'id' | 'storage' | 'bytes'>,
  section: FileSection,
  limit = Number.POSITIVE_INFINITY,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of readContent(deps, file, section, {
    to: section === 'content' ? file.bytes : null,
  })) {
    pieces.push(piece);
    length += piece.length;
    if (length >= limit) break;
  }
  return Buffer.concat(pieces, Math.min(length, limit));
}

/**
 * Bytes [from, to) of the content of a file, once its first piece is here. Throws `not_found` where it was deleted meanwhile, and what
 * its storage throws.
 */
export async function openContent(
  deps: ContentDeps,
  file: FileRow,
  range: { from: number; to: number },
): Promise<AsyncGenerator<Buffer>> {
  if (!(await findChunk(deps.database.sql, file.id, 'content', range.from))) throw new AppError('not_found');
  const pieces = readContent(deps, file, 'content', range);
  const first = await pieces.next();
  return (async function* () {
    if (!first.done) yield first.value;
    yield* pieces;
  })();
}

/** The small picture of a file, WebP. Throws `not_found` where it has none, and as `readContent`. */
export async function readThumbnail(deps: ContentDeps, file: FileRow): Promise<Buffer> {
  if (!file.hasThumbnail) throw new AppError('not_found');
  return readWhole(deps, file, 'thumbnail');
}
