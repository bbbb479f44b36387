import { type Executor, momentOf } from '#server/platform/database/database.ts';
import { type ConversationRow, conversationColumns } from '../message-store/conversation-store.ts';

/** Notes that a model is asked for the title; true for one caller in the life of a listed conversation that has its first words. */
export async function claimTitle(
  sql: Executor,
  userId: string,
  id: string,
  at: Date | null,
): Promise<boolean> {
  const { count } = await sql`
    update conversations c set title_asked_at = ${momentOf(sql, at)}
     where c.id = ${id} and c.user_id = ${userId} and c.title_asked_at is null and c.title_source = 'first_words'
       and c.deleted_at is null and not c.is_temporary`;
  return count > 0;
}

/** Gives a conversation the title that a model wrote, unless the user was faster; null then, and when it is deleted. */
export async function updateTitle(
  sql: Executor,
  userId: string,
  id: string,
  { title, foldedTitle }: { title: string; foldedTitle: string },
): Promise<ConversationRow | null> {
  const [row] = await sql<ConversationRow[]>`
    update conversations c set title = ${title}, folded_title = ${foldedTitle}, title_source = 'model'
     where c.id = ${id} and c.user_id = ${userId} and c.title_source = 'first_words' and c.deleted_at is null
    returning ${conversationColumns(sql)}`;
  return row ?? null;
}
