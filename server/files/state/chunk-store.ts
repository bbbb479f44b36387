import type { Executor } from '#server/platform/database/database.ts';
import type { StoredChunk } from '../storage/file-storage.ts';

/** What the chunks of a file make up: itself, its small picture, the text found in it (UTF-8). */
export type FileSection = 'content' | 'thumbnail' | 'text';

export interface ChunkRow {
  start: number;
  length: number;
  bytes: Buffer | null;
  object: string | null;
}

/** The chunk that has the byte `at` of a section; null after its end, and where the file is gone. */
export async function findChunk(
  sql: Executor,
  fileId: string,
  section: FileSection,
  at: number,
): Promise<ChunkRow | null> {
  const [row] = await sql<ChunkRow[]>`
    select start::float8 as start, length, bytes, object from file_chunks
     where file_id = ${fileId} and part = ${section} and start <= ${at} order by start desc limit 1`;
  return row && at < row.start + row.length ? row : null;
}

/** Whether a file has a section; false also where the file is gone. */
export async function hasSection(sql: Executor, fileId: string, section: FileSection): Promise<boolean> {
  const rows = await sql`
    select from file_chunks where file_id = ${fileId} and part = ${section} and start = 0`;
  return rows.length > 0;
}

/**
 * Writes chunks that begin at the byte `at` of a section. As Base64, because the driver writes bytes as hex, which takes twice as much
 * memory.
 */
export async function insertChunks(
  tx: Executor,
  fileId: string,
  section: FileSection,
  at: number,
  chunks: readonly StoredChunk[],
): Promise<void> {
  for (const { offset, length, bytes, object } of chunks)
    await tx`
      insert into file_chunks (file_id, part, start, length, bytes, object)
      values (${fileId}, ${section}, ${at + offset}, ${length}, decode(${bytes?.toString('base64') ?? null}, 'base64'), ${object})`;
}

/** Deletes a section; what it has outside goes into the queue of removals. */
export async function deleteSection(tx: Executor, fileId: string, section: FileSection): Promise<void> {
  await tx`
    with gone as (delete from file_chunks where file_id = ${fileId} and part = ${section} returning object)
    insert into file_removals (kind, target, next_try_at)
    select 'objects', object, '-infinity' from gone where object is not null`;
}
