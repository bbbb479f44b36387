import type { Database, Executor } from '#server/platform/database/database.ts';

class Undone extends Error {}

/**
 * How many rows of all tables `work` reads, by the plans that PostgreSQL keeps for any parameters, as in tables a hundred times as large,
 * where nothing is gained by reading all of one. `isCustom`: by the plan for these parameters, which PostgreSQL goes on making where
 * it costs less, as for a time since which little happened. Rows that triggers and functions read are counted too. What `work`
 * writes is undone.
 */
export async function countRowsRead(
  { sql }: Pick<Database, 'sql'>,
  work: (tx: Executor) => Promise<unknown>,
  { isCustom = false } = {},
): Promise<number> {
  let read = Number.NaN;
  await sql
    .begin(async (tx) => {
      const mode = isCustom ? 'force_custom_plan' : 'force_generic_plan';
      await tx`select set_config('plan_cache_mode', ${mode}, true), set_config('seq_page_cost', '100', true)`;
      const before = await sumRead(tx);
      await work(tx);
      await tx`set constraints all immediate`;
      read = (await sumRead(tx)) - before;
      throw new Undone();
    })
    .catch((error) => {
      if (!(error instanceof Undone)) throw error;
    });
  return read;
}

async function sumRead(tx: Executor): Promise<number> {
  const [row] = await tx<{ read: number }[]>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 as read from pg_stat_xact_user_tables`;
  return row?.read ?? 0;
}
