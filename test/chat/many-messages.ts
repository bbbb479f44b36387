import { randomUUID } from 'node:crypto';
import type { Executor } from '#server/platform/database/database.ts';

export interface PlantedConversations {
  /** In the order in which they are to be found by time. */
  ids: string[];
}

/**
 * Conversations of a user by SQL, each a line of as many answered messages, one a second; `micros` later than the one before. Quicker than
 * `plantTree`, for tests of what statements read among many.
 */
export async function plantConversations(
  sql: Executor,
  userId: string,
  { count, messages }: { count: number; messages: number },
): Promise<PlantedConversations> {
  const ids = Array.from({ length: count }, () => randomUUID());
  await sql`
    insert into conversations (id, user_id, title, folded_title, created_at, updated_at)
    select id, ${userId}, 'Talk ' || n, 'talk ' || n, now() - interval '1 day' + n * interval '1 second',
           now() - interval '1 day' + n * interval '1 second'
      from unnest(${ids}::uuid[]) with ordinality as c (id, n)`;
  await sql`
    with placed as materialized (
      select c.id as conversation, d, case d when 0 then c.id else gen_random_uuid() end as id
        from unnest(${ids}::uuid[]) as c (id) cross join generate_series(0, ${messages - 1}::int) d),
    linked as (
      select *, lag(id) over (partition by conversation order by d) as parent from placed)
    insert into messages (id, user_id, conversation_id, parent_id, depth, chain_id, model, content, response, status, cost,
      credits_used, owner, end_seq, created_at, ended_at)
    select id, ${userId}, conversation, parent, d, conversation, 'parley-flash', 'n', 'yes', 'completed', 15, 15, id, 2,
           timestamptz '2026-11-01' + d * interval '1 second', now()
      from linked order by d`;
  return { ids };
}
