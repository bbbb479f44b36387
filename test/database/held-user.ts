import type { Sql } from 'postgres';
import { expect } from 'vitest';
import type { Executor } from '#server/platform/database/database.ts';

/** How many statements of this database wait for a lock. */
export async function countWaiting(sql: Executor): Promise<number> {
  const rows = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return rows.count;
}

/**
 * Sends requests about a user while another transaction has the user's lock: each once the one before waits, so that they get the
 * lock in this order when all wait. Returns their answers.
 */
export async function queueAtUser(
  sql: Sql,
  userId: string,
  requests: readonly (() => Promise<Response>)[],
): Promise<Response[]> {
  const { sent } = await sql.begin(async (tx) => {
    await tx`select from users where id = ${userId} for no key update`;
    const queue: Promise<Response>[] = [];
    for (const request of requests) {
      queue.push(request());
      await expect.poll(() => countWaiting(sql)).toBe(queue.length);
    }
    return { sent: queue };
  });
  return Promise.all(sent);
}
