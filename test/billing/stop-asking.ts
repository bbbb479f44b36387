import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { PROVIDERS } from '#contract/choices.ts';

/** From now on no list of charges is read: what a test does not do itself is not found meanwhile. */
export async function stopReviews(sql: Sql): Promise<void> {
  const read = async () => (await sql`select from billing.reviews where read_to is not null`).length;
  while ((await read()) < PROVIDERS.length * 3) await sleep(100);
  await sql`update billing.reviews set due_at = due_at + interval '30 days'`;
}

/** From now on providers are not asked about one user, whom a purchase has asked about. */
export async function stopPolling(sql: Sql, userId: string): Promise<void> {
  await sql`update billing.polls set ask_at = ask_at + interval '30 days' where user_id = ${userId}`;
}
