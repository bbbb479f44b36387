import type { ModelChange } from '#contract/admin/models.ts';
import type { Executor } from '#server/platform/database/database.ts';

/** How many users sent a model something since a time, and how many of its answers run now. */
export async function countUse(
  sql: Executor,
  model: string,
  since: Date,
): Promise<{ users: number; running: number }> {
  const [row] = await sql<{ users: number; running: number }[]>`
    select (select count(distinct user_id) from messages where created_at > ${since} and model = ${model})::int as users,
           (select count(*) from messages where status = 'running' and model = ${model})::int as running`;
  if (!row) throw new Error('a count returned nothing');
  return row;
}

/** When models were paused and resumed, and their prices changed, the newest first. */
export function selectModelChanges(
  sql: Executor,
  limit: number,
): Promise<(Omit<ModelChange, 'at'> & { at: Date })[]> {
  return sql<(Omit<ModelChange, 'at'> & { at: Date })[]>`
    select id, at, actor, act, subject as model, reason, details -> 'price' as price
      from billing.audit where act in ('pause_model', 'resume_model', 'set_price', 'withdraw_price') order by id desc limit ${limit}`;
}
