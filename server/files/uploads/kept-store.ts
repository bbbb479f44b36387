import type { Executor } from '#server/platform/database/database.ts';
import { type FileRow, fileColumns } from '../state/file-store.ts';

/** A file that is kept of a message's browser, as it is stored at once. */
export type NewKeptFile = Pick<
  FileRow,
  'id' | 'userId' | 'name' | 'bytes' | 'storage' | 'pages' | 'width' | 'height' | 'hasText' | 'hasThumbnail'
> & {
  messageId: string;
  keptKey: string;
  type: string;
  sha256: Buffer;
  tokens: number;
  createdAt: Date;
};

/** What was kept, and the file that it became. */
export type KeptFile = FileRow & { keptKey: string };

/** What the user kept of a message's browser, in no order; `keptKey` null: all of it. */
export function selectKept(
  sql: Executor,
  userId: string,
  messageId: string,
  keptKey: string | null,
): Promise<KeptFile[]> {
  return sql<KeptFile[]>`
    select ${fileColumns(sql)}, f.kept_what as "keptKey" from files f
     where f.kept_of = ${messageId} and f.user_id = ${userId} and (${keptKey}::text is null or f.kept_what = ${keptKey})`;
}

/** Inserts a file of the message's conversation. Null: this was kept already. Throws where the message is gone. */
export async function insertKept(tx: Executor, file: NewKeptFile): Promise<KeptFile | null> {
  const { id, userId, messageId, keptKey, name, bytes, storage, type, sha256, pages, tokens } = file;
  const { width, height, hasText, hasThumbnail, createdAt } = file;
  const [row] = await tx<KeptFile[]>`
    insert into files as f (id, user_id, conversation_id, kept_of, kept_what, name, bytes, received, state, storage, type, sha256,
                            pages, tokens, width, height, has_text, has_thumbnail, every_turn, created_at)
    values (${id}, ${userId}, (select conversation_id from messages where id = ${messageId} and user_id = ${userId}),
            ${messageId}, ${keptKey}, ${name}, ${bytes}, ${bytes}, 'ready', ${storage}, ${type}, ${sha256},
            ${pages}, ${tokens}, ${width}, ${height}, ${hasText}, ${hasThumbnail}, false, ${createdAt})
    on conflict (kept_of, kept_what) where kept_of is not null do nothing
    returning ${fileColumns(tx)}, f.kept_what as "keptKey"`;
  return row ?? null;
}
