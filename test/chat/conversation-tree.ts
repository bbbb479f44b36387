import { randomUUID } from 'node:crypto';
import type { Executor } from '#server/platform/database/database.ts';

/** A message of a tree: the place of its parent in the list, which comes before it, and when it was sent, in seconds. */
export interface TreeNode {
  parent: number | null;
  at: number;
}

export interface PlantedTree {
  conversationId: string;
  /** In the order of the nodes. */
  ids: string[];
}

/** A conversation of the user by SQL: one answered message for each node, in their order. */
export async function plantTree(
  sql: Executor,
  userId: string,
  nodes: readonly TreeNode[],
): Promise<PlantedTree> {
  const conversationId = randomUUID();
  const ids = nodes.map(() => randomUUID());
  await sql`insert into conversations (id, user_id, title, folded_title, created_at, updated_at)
            values (${conversationId}, ${userId}, 'Talk', 'talk', now(), now())`;
  const parents = nodes.map(({ parent }) => (parent === null ? null : (ids[parent] ?? null)));
  const seconds = nodes.map(({ at }) => at);
  await sql`
    insert into messages (id, user_id, conversation_id, parent_id, model, content, response, status, cost, credits_used,
      owner, end_seq, created_at, ended_at)
    select id, ${userId}, ${conversationId}, parent, 'parley-flash', 'n' || n, 'yes', 'completed', 15, 15, id, 2,
           timestamptz '2026-11-01' + at * interval '1 second', now()
      from unnest(${ids}::uuid[], ${parents}::uuid[], ${seconds}::integer[]) with ordinality as t (id, parent, at, n)
     order by n`;
  return { conversationId, ids };
}

/** The nodes of a conversation of `count` messages in one line. */
export function lineOf(count: number): TreeNode[] {
  return Array.from({ length: count }, (_, n) => ({ parent: n === 0 ? null : n - 1, at: n }));
}

/** The nodes of a message with `count` answers to it, one beside the other. */
export function siblingsOf(count: number): TreeNode[] {
  return [{ parent: null, at: 0 }, ...Array.from({ length: count }, (_, n) => ({ parent: 0, at: n + 1 }))];
}

/** A copy of a message under an id of its own, without events: no process writes to its log. */
export async function copyMessage(sql: Executor, messageId: string): Promise<string> {
  const id = randomUUID();
  await sql`
    insert into messages
      select (jsonb_populate_record(m, jsonb_build_object('id', ${id}::text, 'chain_id', ${id}::text))).* from messages m where id = ${messageId}`;
  return id;
}
