import type { Executor } from '#server/platform/database/database.ts';
import { type FileRow, fileColumns } from '../state/file-store.ts';

/** A file that is kept of a message's browser, as it is stored at once. */
export type NewKeptFile = Pick<
  FileRow,
  'id' | 'userId' | 'name' | 'bytes' | 'storage' | 'pages' | 'width' | 'height' | 'hasText' | 'hasThumbnail'
> & {
  conversationId: string;
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

/** The conversation of a message of the user; null: there is no such message, or it is one of the API. */
export async function findConversationOf(
  sql: Executor,
  userId: string,
  messageId: string,
): Promise<string | null> {
  const [row] = await sql<{ conversationId: string | null }[]>`
    select conversation_id as "conversationId" from messages where id = ${messageId} and user_id = ${userId}`;
  return row?.conversationId ?? null;
}

/** Inserts a file of the message's conversation. Null: this was kept already. Throws a conflict where one of the two is gone. */
export async function insertKept(tx: Executor, file: NewKeptFile): Promise<KeptFile | null> {
  const { id, userId, conversationId, messageId, keptKey, name, bytes, storage, type, sha256, pages } = file;
  const { tokens, width, height, hasText, hasThumbnail, createdAt } = file;
  const [row] = await tx<KeptFile[]>`
    insert into files as f (id, user_id, conversation_id, kept_of, kept_what, name, bytes, received, state, storage, type, sha256,
                            pages, tokens, width, height, has_text, has_thumbnail, every_turn, created_at)
    values (${id}, ${userId}, ${conversationId}, ${messageId}, ${keptKey}, ${name}, ${bytes}, ${bytes}, 'ready', ${storage},
            ${type}, ${sha256}, ${pages}, ${tokens}, ${width}, ${height}, ${hasText}, ${hasThumbnail}, false, ${createdAt})
    on conflict (kept_of, kept_what) where kept_of is not null do nothing
    returning ${fileColumns(tx)}, f.kept_what as "keptKey"`;
  return row ?? null;
}
