import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR_MS } from '#contract/time.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { insertUser } from '#test/factories.ts';
import { sumMoney } from './today-store.ts';

let home: TestDatabase;
beforeAll(async () => {
  home = await createTestDatabase();
});
afterAll(() => home.drop());

const dayOf = (n: number) => new Date(Date.UTC(2027, 0, n));

test('each part of a refund is lost on the day that we heard of it, and what is disputed after it is not lost twice', async () => {
  const { sql } = home.database;
  const { userId } = await insertUser(sql);
  await sql`insert into billing.account (user_id) values (${userId})`;
  const hear = async (day: number, kind: string, more: object) => {
    const fact = JSON.stringify({ transactionId: 'tran_1', ...more });
    await sql`
      insert into billing.facts (provider, user_id, kind, subject, fact, digest, source, observed_at)
      values ('creem', ${userId}, ${kind}, 'tran_1', ${fact}::text::jsonb, sha256(${String(day)}::text::bytea), 'webhook',
              ${new Date(dayOf(day).getTime() + HOUR_MS)})`;
  };
  await hear(1, 'payment', { amountMinor: 2_000, currency: 'USD' });
  await hear(2, 'refund', { status: 'succeeded', refundedMinor: 500 });
  await hear(3, 'refund', { status: 'succeeded', refundedMinor: 1_200 });
  await hear(4, 'dispute', {});
  const money = [];
  for (const day of [1, 2, 3, 4]) money.push(...(await sumMoney(sql, dayOf(day), dayOf(day + 1))));
  expect(money.map(({ paid, lost }) => [paid, lost])).toEqual([
    [2_000, 0],
    [0, 500],
    [0, 700],
    [0, 800],
  ]);
});
