import type { Executor } from '#server/platform/database/database.ts';

/** Keeps the newest picture of a run. */
export async function upsertFrame(sql: Executor, messageId: string, jpeg: string): Promise<void> {
  await sql`
    insert into computer_frames as f (message_id, n, jpeg)
    select message_id, 1, ${jpeg} from computer_runs where message_id = ${messageId}
    on conflict (message_id) do update set n = f.n + 1, jpeg = excluded.jpeg`;
}

/** The newest picture of a run after the one of number `after`; null where there is none. */
export async function selectFrame(
  sql: Executor,
  messageId: string,
  after: number,
): Promise<{ n: number; jpeg: string } | null> {
  const [row] = await sql<{ n: number; jpeg: string }[]>`
    select n::int as n, jpeg from computer_frames where message_id = ${messageId} and n > ${after}`;
  return row ?? null;
}
