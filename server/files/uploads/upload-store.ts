import type { Executor } from '#server/platform/database/database.ts';
import { type FileRow, fileColumns } from '../state/file-store.ts';

/** What a new upload says of itself. */
export type NewUpload = Pick<
  FileRow,
  'id' | 'userId' | 'name' | 'bytes' | 'keepsPlace' | 'storage' | 'createdAt'
> & { expiresAt: Date };

/**
 * Lets one upload of the user begin or come to its end at a time, until the transaction does, so that limits and places hold for
 * several at once. Taken before the row of any file.
 */
export async function lockUserStorage(tx: Executor, userId: string): Promise<void> {
  await tx`select from users where id = ${userId} for no key update`;
}

/** How many files of the user no message has named yet. */
export async function countUnnamed(tx: Executor, userId: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from files where user_id = ${userId} and expires_at is not null`;
  return row?.count ?? 0;
}

/** In how many pieces an upload has come so far. */
export async function countPieces(sql: Executor, id: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from file_chunks where file_id = ${id} and part = 'content'`;
  return row?.count ?? 0;
}

/** Begins an upload. False: a file has its id, or had it, and its objects are still to be deleted by that name. */
export async function insertUpload(tx: Executor, upload: NewUpload): Promise<boolean> {
  const { id, userId, name, bytes, keepsPlace, storage, createdAt, expiresAt } = upload;
  const rows = await tx`
    insert into files (id, user_id, name, bytes, keeps_place, storage, created_at, expires_at)
    select ${id}::uuid, ${userId}::uuid, ${name}, ${bytes}, ${keepsPlace}, ${storage}, ${createdAt}, ${expiresAt}
     where not exists (select from file_removals where kind = 'objects' and target = ${`${id}/`})
    on conflict (id) do nothing returning id`;
  return rows.length > 0;
}

/** The place of a user's next file among those to be read: behind those of their own, and not before what others wait for now. */
const nextReadingPlace = (sql: Executor, userId: string, at: Date) => sql`
  greatest(
    coalesce((select w.turn from files w where w.state = 'reading' and w.next_try_at <= ${at} order by w.turn limit 1),
             (select max(r.turn) from files r where r.state = 'reading'), 0),
    (select max(o.turn) + 1 from files o where o.user_id = ${userId} and o.state = 'reading'))`;

/**
 * Notes that `length` bytes came after the first `offset`, under the row's lock; the last of them, for which the user's storage is
 * locked, make it wait to be read. Null where it is not at that place, not being uploaded, or gone.
 */
export async function advanceUpload(
  tx: Executor,
  userId: string,
  id: string,
  { offset, length, at }: { offset: number; length: number; at: Date },
): Promise<FileRow | null> {
  const [row] = await tx<FileRow[]>`
    update files f set received = f.received + ${length},
           state = case when f.received + ${length} = f.bytes then 'reading' else 'uploading' end,
           next_try_at = case when f.received + ${length} = f.bytes then ${at}::timestamptz end,
           turn = case when f.received + ${length} = f.bytes then ${nextReadingPlace(tx, userId, at)} else f.turn end
     where f.id = ${id} and f.user_id = ${userId} and f.state = 'uploading' and f.received = ${offset}
       and f.received + ${length} <= f.bytes
    returning ${fileColumns(tx)}`;
  return row ?? null;
}
