import type { Executor } from '#server/platform/database/database.ts';
import { type MessageRow, messageColumns } from '../message-store/store.ts';

/** Whether a message is the end of its branch, in a conversation that is kept. */
const awaitsNext = (sql: Executor) => sql`
  not exists (select from messages next where next.conversation_id = m.conversation_id and next.parent_id = m.id)
  and exists (select from conversations c
               where c.id = m.conversation_id and c.deleted_at is null and not c.is_temporary)`;

/** Whether questions may follow a message of the user: nothing has followed it, and its conversation is kept. */
export async function mayBeFollowed(sql: Executor, userId: string, id: string): Promise<boolean> {
  const rows = await sql`
    select from messages m where m.id = ${id} and m.user_id = ${userId} and ${awaitsNext(sql)}`;
  return rows.length > 0;
}

/** Stores the questions that may follow a message; null when it was followed meanwhile, or is gone. */
export async function updateFollowUps(
  sql: Executor,
  userId: string,
  id: string,
  followUps: string[],
): Promise<MessageRow | null> {
  const [row] = await sql<MessageRow[]>`
    update messages m
       set output = coalesce(m.output, '{}') || jsonb_build_object('followUps', ${JSON.stringify(followUps)}::text::jsonb)
     where m.id = ${id} and m.user_id = ${userId} and m.status = 'completed' and ${awaitsNext(sql)}
    returning ${messageColumns(sql)}`;
  return row ?? null;
}
