import type { Executor } from '#server/platform/database/database.ts';
import type { StoredPiece } from '../storage/file-storage.ts';

/** What the chunks of a file make up: itself, its small picture, the text found in it (UTF-8). */
export type FilePart = 'content' | 'thumbnail' | 'text';

export interface ChunkRow {
  start: number;
  length: number;
  bytes: Buffer | null;
  object: string | null;
}

/** The chunk that has the byte `at` of a part; null after its end, and where the file is gone. */
export async function findChunk(
  sql: Executor,
  fileId: string,
  part: FilePart,
  at: number,
): Promise<ChunkRow | null> {
  const [row] = await sql<ChunkRow[]>`
    select start::float8 as start, length, bytes, object from file_chunks
     where file_id = ${fileId} and part = ${part} and start <= ${at} order by start desc limit 1`;
  return row && at < row.start + row.length ? row : null;
}

/** Writes pieces that begin at the byte `at` of a part. */
export async function insertPieces(
  tx: Executor,
  fileId: string,
  part: FilePart,
  at: number,
  pieces: readonly StoredPiece[],
): Promise<void> {
  for (const { offset, length, bytes, object } of pieces)
    await tx`
      insert into file_chunks (file_id, part, start, length, bytes, object)
      values (${fileId}, ${part}, ${at + offset}, ${length}, ${bytes}, ${object})`;
}

/** Deletes a part; what it has outside goes into the queue of removals. */
export async function deletePart(tx: Executor, fileId: string, part: FilePart): Promise<void> {
  await tx`
    with gone as (delete from file_chunks where file_id = ${fileId} and part = ${part} returning object)
    insert into file_removals (kind, target, next_try_at)
    select 'objects', object, '-infinity' from gone where object is not null`;
}
