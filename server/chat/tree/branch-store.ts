import type { Executor } from '#server/platform/database/database.ts';
import { type MessageRow, messageColumns } from './store.ts';

/** How many siblings of one message are listed. */
const MAX_SIBLINGS = 200;

/** Where a message stands: in which chain (decision 41), and how many messages are above it. */
export interface Place {
  id: string;
  chainId: string;
  depth: number;
}

/** The place of a message of a conversation of the user; null when there is no such message. */
export async function findPlace(
  sql: Executor,
  userId: string,
  conversationId: string,
  id: string,
): Promise<Place | null> {
  const [row] = await sql<Place[]>`
    select id, chain_id as "chainId", depth from messages
     where id = ${id} and conversation_id = ${conversationId} and user_id = ${userId}`;
  return row ?? null;
}

/** The newest message of a conversation of the user, and whether no other was sent at that time; null when it has none. */
export async function findNewest(
  sql: Executor,
  userId: string,
  conversationId: string,
): Promise<(Place & { isOnly: boolean }) | null> {
  const [newest, next] = await sql<(Place & { sentAt: string })[]>`
    select id, chain_id as "chainId", depth, created_at::text as "sentAt" from messages
     where conversation_id = ${conversationId} and user_id = ${userId}
     order by created_at desc, id desc limit 2`;
  return newest ? { ...newest, isOnly: newest.sentAt !== next?.sentAt } : null;
}

/** The newest message below a place, or the one there when nothing is below. Reads one row for each chain that begins below it. */
export async function findNewestBelow(sql: Executor, place: Place): Promise<Place> {
  const [row] = await sql<Place[]>`
    with recursive below as (
      select ${place.chainId}::uuid as chain_id, ${place.depth}::integer as depth
      union all
      select f.id, f.depth from below b cross join lateral (
        select m.id, m.depth from messages m where m.fork_of = b.chain_id and m.depth > b.depth offset 0) f)
    select e.id, e.chain_id as "chainId", e.depth from below b cross join lateral (
      select m.id, m.chain_id, m.depth, m.created_at from messages m
       where m.chain_id = b.chain_id order by m.depth desc limit 1) e
     order by e.created_at desc, e.depth desc, e.id desc limit 1`;
  return row ?? place;
}

/**
 * Ids on the way from the first message down to a place, those of the depths `from` to `to`, the first one first. Reads these
 * and, of the way from `from` to the place, one row for each fork.
 */
export async function selectWay(sql: Executor, place: Place, from: number, to: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    with recursive way as (
      select id as chain_id, depth as top, ${place.depth}::integer as bottom, fork_of from messages where id = ${place.chainId}
      union all
      select u.id, u.depth, w.top - 1, u.fork_of from way w cross join lateral (
        select m.id, m.depth, m.fork_of from messages m where m.id = w.fork_of offset 0) u
       where w.top > ${from})
    select p.id from way w cross join lateral (
      select m.id, m.depth from messages m
       where m.chain_id = w.chain_id and m.depth >= greatest(w.top, ${from}::integer)
         and m.depth <= least(w.bottom, ${to}::integer)
       order by m.depth offset 0) p
     where w.top <= ${to} order by p.depth`;
  return rows.map(({ id }) => id);
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
      from unnest(${ids}::uuid[]) as w (id) join messages m on m.id = w.id cross join lateral (
        select array_agg(n.id order by n.created_at, n.id) as ids from (
          (select o.id, o.created_at from messages o
            where m.parent_id is not null and o.conversation_id = ${conversationId} and o.parent_id = m.parent_id
            order by o.created_at desc, o.id desc limit ${MAX_SIBLINGS})
          union all
          (select o.id, o.created_at from messages o
            where m.parent_id is null and o.conversation_id = ${conversationId} and o.parent_id is null
            order by o.created_at desc, o.id desc limit ${MAX_SIBLINGS})) n) s
     where cardinality(s.ids) > 1`;
}
