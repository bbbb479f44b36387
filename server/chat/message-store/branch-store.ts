import type { Executor, Fragment } from '#server/platform/database/database.ts';
import { type MessageRow, messageColumns } from './store.ts';

/** How many siblings of one message are listed: itself with those before it, and those after it. */
const MAX_OLDER = 101;
const MAX_NEWER = 99;

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

export interface Siblings {
  id: string;
  /** Its own id among those of its siblings, oldest first: the ones around it. */
  siblings: string[];
  /** How many there are beside those. */
  older: number;
  newer: number;
}

/** For each of the messages that has siblings: those around it, and how many there are beyond them. */
export async function selectSiblings(
  sql: Executor,
  conversationId: string,
  ids: string[],
): Promise<Siblings[]> {
  const around = (ofParent: Fragment) => sql`
    (select o.id, o.created_at from messages o
      where ${ofParent} and o.conversation_id = ${conversationId} and (o.created_at, o.id) <= (m.created_at, m.id)
      order by o.created_at desc, o.id desc limit ${MAX_OLDER})
    union all
    (select o.id, o.created_at from messages o
      where ${ofParent} and o.conversation_id = ${conversationId} and (o.created_at, o.id) > (m.created_at, m.id)
      order by o.created_at, o.id limit ${MAX_NEWER})`;
  const counted = (ofParent: Fragment) => sql`
    select count(*)::int as all, count(*) filter (where (o.created_at, o.id) < (m.created_at, m.id))::int as older
      from messages o where ${ofParent} and o.conversation_id = ${conversationId}`;
  const below = sql`m.parent_id is not null and o.parent_id = m.parent_id`;
  const first = sql`m.parent_id is null and o.parent_id is null`;
  const rows = await sql<{ id: string; siblings: string[]; all: number; before: number }[]>`
    select m.id, s.ids as siblings, c.all, c.before
      from unnest(${ids}::uuid[]) as w (id) join messages m on m.id = w.id cross join lateral (
        select array_agg(n.id order by n.created_at, n.id) as ids from (${around(below)} union all ${around(first)}) n) s
      cross join lateral (
        select sum(n.all)::int as all, sum(n.older)::int as before
          from (${counted(below)} union all ${counted(first)}) n) c
     where cardinality(s.ids) > 1`;
  return rows.map(({ id, siblings, all, before }) => {
    const older = before - siblings.indexOf(id);
    return { id, siblings, older, newer: all - older - siblings.length };
  });
}
