import type { Executor } from '#server/platform/database/database.ts';
import { type FileRow, fileColumns } from '../state/file-store.ts';

/** A file that was made for an answer, as it is stored at once. */
export type NewMadeFile = Pick<
  FileRow,
  'id' | 'userId' | 'conversationId' | 'name' | 'bytes' | 'storage' | 'everyTurn' | 'createdAt'
> & {
  messageId: string;
  type: string;
  sha256: Buffer;
  tokens: number;
  width: number;
  height: number;
};

/** The conversation of a message of the user that is being answered, null for one of the API; undefined where there is no such message. */
export async function findConversationOfRunning(
  sql: Executor,
  userId: string,
  messageId: string,
): Promise<string | null | undefined> {
  const [row] = await sql<{ conversationId: string | null }[]>`
    select conversation_id as "conversationId" from messages
     where id = ${messageId} and user_id = ${userId} and status = 'running'`;
  return row?.conversationId;
}

/** Whether a message is still being answered; if so it cannot end before the transaction does. */
export async function lockRunning(tx: Executor, messageId: string): Promise<boolean> {
  const rows = await tx`select from messages where id = ${messageId} and status = 'running' for share`;
  return rows.length > 0;
}

export async function insertMadeFile(tx: Executor, file: NewMadeFile): Promise<FileRow> {
  const { id, userId, conversationId, messageId, name, bytes, storage, type } = file;
  const { sha256, tokens, width, height, everyTurn, createdAt } = file;
  const [row] = await tx<FileRow[]>`
    insert into files as f (id, user_id, conversation_id, message_id, name, bytes, received, state, storage, type, sha256, tokens,
                            width, height, has_thumbnail, every_turn, created_at)
    values (${id}, ${userId}, ${conversationId}, ${messageId}, ${name}, ${bytes}, ${bytes}, 'ready', ${storage}, ${type}, ${sha256},
            ${tokens}, ${width}, ${height}, true, ${everyTurn}, ${createdAt})
    returning ${fileColumns(tx)}`;
  if (!row) throw new Error('a file was not inserted');
  return row;
}
