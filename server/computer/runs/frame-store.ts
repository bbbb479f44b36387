import type { Executor } from '#server/platform/database/database.ts';

/** Keeps the newest picture of a run. Its number grows also where PostgreSQL crashed, which empties the table. */
export async function upsertFrame(sql: Executor, messageId: string, jpeg: string): Promise<void> {
  await sql`
    insert into computer_frames as f (message_id, n, jpeg)
    select message_id, (extract(epoch from clock_timestamp()) * 1000)::bigint, ${jpeg} from computer_runs where message_id = ${messageId}
    on conflict (message_id) do update set n = greatest(f.n + 1, excluded.n), jpeg = excluded.jpeg`;
}

/** The newest picture of a run after the one of number `after`; null where there is none. */
export async function selectFrame(
  sql: Executor,
  messageId: string,
  after: number,
): Promise<{ n: number; jpeg: string } | null> {
  const [row] = await sql<{ n: number; jpeg: string }[]>`
    select n::float8 as n, jpeg from computer_frames where message_id = ${messageId} and n > ${after}`;
  return row ?? null;
}
