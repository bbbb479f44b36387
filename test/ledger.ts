import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Executor } from '#server/platform/database.ts';

/** Fails unless every counter, hold and balance of the ledger (of one user, if given) is what its transfers say. */
export async function expectNoDrift(sql: Executor, userId?: string): Promise<void> {
  const drift = userId
    ? await sql`select kind, user_id, detail from credit.drift where user_id = ${userId}`
    : await sql`select kind, user_id, detail from credit.drift`;
  expect([...drift]).toEqual([]);
}

/** Adds a user by SQL alone, whose credit account opens with it. Returns the id. */
export async function addUser(sql: Executor, createdAt = new Date()): Promise<string> {
  const id = randomUUID();
  await sql`
    insert into users (id, email, display_name, created_at)
    values (${id}, ${`${id}@example.test`}, 'Somebody', ${createdAt})`;
  return id;
}

/** The counters of the user's buckets, by their source. */
export async function bucketsOf(sql: Executor, userId: string) {
  const rows = await sql<
    {
      source: string;
      amount: number;
      available: number;
      held: number;
      spent: number;
      expired: number;
      revoked: number;
    }[]
  >`select source_key as source, amount, available, held, spent, expired, revoked
      from credit.bucket where user_id = ${userId} order by source_key`;
  return [...rows];
}
