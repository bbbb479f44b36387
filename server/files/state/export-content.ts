import { findChunk } from './chunk-store.ts';
import type { FileRow } from './file-store.ts';
import { type ContentDeps, readContent } from './read-content.ts';

/** The whole content of a file, for an archive; nothing where it was deleted since it was listed. */
export async function* exportContent(deps: ContentDeps, file: FileRow): AsyncGenerator<Buffer> {
  if (await findChunk(deps.database.sql, file.id, 'content', 0))
    yield* readContent(deps, file, 'content', { to: file.bytes });
}
