import type { Executor } from '#server/platform/database/database.ts';
import { type FileRow, fileColumns } from '../state/file-store.ts';

/** What a new upload says of itself. */
export type NewUpload = Pick<FileRow, 'id' | 'userId' | 'name' | 'bytes' | 'storage' | 'createdAt'> & {
  expiresAt: Date;
};

/** Lets the user begin one upload at a time until the transaction ends, so that limits hold for several at once. */
export async function lockUploader(tx: Executor, userId: string): Promise<void> {
  await tx`select from users where id = ${userId} for no key update`;
}

/** How many files of the user no message has named yet. */
export async function countUnnamed(tx: Executor, userId: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from files where user_id = ${userId} and expires_at is not null`;
  return row?.count ?? 0;
}

export async function insertUpload(tx: Executor, upload: NewUpload): Promise<void> {
  const { id, userId, name, bytes, storage, createdAt, expiresAt } = upload;
  await tx`
    insert into files (id, user_id, name, bytes, storage, created_at, expires_at)
    values (${id}, ${userId}, ${name}, ${bytes}, ${storage}, ${createdAt}, ${expiresAt})`;
}

/**
 * Notes that `length` bytes came after the first `offset`, under the row's lock; the last of them make it wait to be read. Null where
 * it is not at that place, not being uploaded, or gone.
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
           next_try_at = case when f.received + ${length} = f.bytes then ${at}::timestamptz end
     where f.id = ${id} and f.user_id = ${userId} and f.state = 'uploading' and f.received = ${offset}
       and f.received + ${length} <= f.bytes
    returning ${fileColumns(tx)}`;
  return row ?? null;
}
