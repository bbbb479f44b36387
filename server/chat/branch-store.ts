import type { Executor } from '#server/platform/database.ts';
import { type MessageRow, messageColumns } from './store.ts';

/** Siblings of one message that are told; nobody steps through more. */
const MOST_SIBLINGS = 200;

/** The newest message of a conversation of the user; null when it has none. */
export async function findNewest(
  sql: Executor,
  userId: string,
  conversationId: string,
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from messages where conversation_id = ${conversationId} and user_id = ${userId}
     order by created_at desc, id desc limit 1`;
  return row?.id ?? null;
}

/** The newest message below one of a conversation of the user, or itself when nothing is below; null when there is no such message. */
export async function findLeaf(
  sql: Executor,
  userId: string,
  conversationId: string,
  id: string,
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    with recursive below as (
      select m.id, m.created_at, 0 as depth from messages m
       where m.id = ${id} and m.conversation_id = ${conversationId} and m.user_id = ${userId}
      union all
      select m.id, m.created_at, b.depth + 1
        from below b join messages m on m.conversation_id = ${conversationId} and m.parent_id = b.id)
    select id from below order by created_at desc, depth desc, id desc limit 1`;
  return row?.id ?? null;
}

/** Ids from a message of a conversation of the user upwards, itself first, at most `limit`. */
export async function selectUpwards(
  sql: Executor,
  path: { userId: string; conversationId: string; id: string; limit: number },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    with recursive up as (
      select m.id, m.parent_id, 1 as depth from messages m
       where m.id = ${path.id} and m.conversation_id = ${path.conversationId} and m.user_id = ${path.userId}
      union all
      select m.id, m.parent_id, u.depth + 1 from up u join messages m on m.id = u.parent_id
       where u.depth < ${path.limit})
    select id from up order by depth`;
  return rows.map(({ id }) => id);
}

/**
 * Ids on the way from the message `above`, which is left out, down to a leaf, the nearest first, at most `limit`. When the
 * leaf is not below that message, the way begins with a message that has no parent.
 */
export async function selectDownwards(
  sql: Executor,
  path: { leafId: string; above: string; limit: number },
): Promise<{ id: string; parentId: string | null }[]> {
  return sql<{ id: string; parentId: string | null }[]>`
    with recursive up as (
      select m.id, m.parent_id, 1 as depth from messages m where m.id = ${path.leafId} and m.id <> ${path.above}
      union all
      select m.id, m.parent_id, u.depth + 1 from up u join messages m on m.id = u.parent_id
       where m.id <> ${path.above})
    select id, parent_id as "parentId" from up order by depth desc limit ${path.limit}`;
}

/** Messages by their ids, in the order of the ids. */
export async function selectInOrder(sql: Executor, ids: string[]): Promise<MessageRow[]> {
  return sql<MessageRow[]>`
    select ${messageColumns(sql)} from unnest(${ids}::uuid[]) with ordinality as w (id, n)
      join messages m on m.id = w.id order by w.n`;
}

/** For each of the messages that has siblings: the ids of all under its parent, oldest first, at most the newest 200. */
export async function selectSiblings(
  sql: Executor,
  conversationId: string,
  ids: string[],
): Promise<{ id: string; siblings: string[] }[]> {
  return sql<{ id: string; siblings: string[] }[]>`
    select m.id, s.ids as siblings
      from messages m cross join lateral (
        select array_agg(n.id order by n.created_at, n.id) as ids from (
          (select o.id, o.created_at from messages o
            where m.parent_id is not null and o.conversation_id = ${conversationId} and o.parent_id = m.parent_id
            order by o.created_at desc, o.id desc limit ${MOST_SIBLINGS})
          union all
          (select o.id, o.created_at from messages o
            where m.parent_id is null and o.conversation_id = ${conversationId} and o.parent_id is null
            order by o.created_at desc, o.id desc limit ${MOST_SIBLINGS})) n) s
     where m.id = any(${ids}::uuid[]) and cardinality(s.ids) > 1`;
}
