import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { addUser, bucketsOf, expectNoDrift } from '#test/ledger.ts';
import { closeHold } from './close-hold.ts';
import { grantCredits } from './grant-credits.ts';
import { takeHold } from './take-hold.ts';

const DAY = 86_400_000;
const NOON = new Date('2026-09-10T12:00:00Z');

function after(days: number) {
  return new Date(NOON.getTime() + days * DAY);
}

describe.each([18, 15] as const)('takeHold on PostgreSQL %i', (version) => {
  let test: TestDatabase;
  let sql: Sql;

  beforeAll(async () => {
    test = await createTestDatabase({ version, poolSize: 32 });
    sql = test.database.sql;
  });
  afterAll(async () => {
    await expectNoDrift(sql);
    await test.drop();
  });

  function take(userId: string, cost: number, options: { holdId?: string; at?: Date | null } = {}) {
    return takeHold(sql, {
      userId,
      holdId: options.holdId ?? randomUUID(),
      cost,
      model: 'parley-flash',
      at: options.at ?? null,
    });
  }

  it('holds the cost of a message and tells what is left', async () => {
    const userId = await addUser(sql);
    expect(await take(userId, 15)).toEqual({ result: 'held', balance: 25 });
    expect(await bucketsOf(sql, userId)).toMatchObject([{ source: 'free:0', available: 25, held: 15 }]);
  });

  it('takes the whole balance, and not one credit more', async () => {
    const userId = await addUser(sql);
    expect(await take(userId, 41)).toEqual({ result: 'insufficient', balance: 40 });
    expect(await take(userId, 40)).toEqual({ result: 'held', balance: 0 });
    expect(await take(userId, 1)).toEqual({ result: 'insufficient', balance: 0 });
  });

  it('knows a repeated id as a duplicate, whether held, settled or released, and whatever is left', async () => {
    const userId = await addUser(sql);
    const [held, settled, released] = [randomUUID(), randomUUID(), randomUUID()];
    await take(userId, 20, { holdId: settled });
    await closeHold(sql, { userId, holdId: settled, outcome: 'settled', reason: 'message', at: null });
    await take(userId, 5, { holdId: released });
    await closeHold(sql, { userId, holdId: released, outcome: 'released', reason: 'interrupted', at: null });
    await take(userId, 20, { holdId: held });
    for (const holdId of [held, settled, released]) {
      expect(await take(userId, 20, { holdId })).toEqual({ result: 'duplicate', balance: 0 });
    }
  });

  it('keeps the holds of two users apart even if their clients made the same id', async () => {
    const [one, two] = [await addUser(sql), await addUser(sql)];
    const holdId = randomUUID();
    expect((await take(one, 8, { holdId })).result).toBe('held');
    expect((await take(two, 20, { holdId })).result).toBe('held');
    await closeHold(sql, { userId: one, holdId, outcome: 'settled', reason: 'message', at: null });
    expect(await bucketsOf(sql, one)).toMatchObject([{ available: 32, held: 0, spent: 8 }]);
    expect(await bucketsOf(sql, two)).toMatchObject([{ available: 20, held: 20, spent: 0 }]);
  });

  it('refuses a frozen account, and a cost that is no price', async () => {
    const userId = await addUser(sql);
    await expect(take(userId, 0)).rejects.toThrow('hold_cost_check');
    await expect(take(userId, -8)).rejects.toThrow('hold_cost_check');
    await sql`update credit.account set frozen_at = now() where user_id = ${userId}`;
    expect(await take(userId, 8)).toEqual({ result: 'frozen', balance: 40 });
  });

  it('fails for somebody without an account', async () => {
    await expect(take(randomUUID(), 8)).rejects.toThrow('no rows');
  });

  it('takes from the bucket that expires first, also when it was granted last', async () => {
    const userId = await addUser(sql, NOON);
    const grant = { userId, amount: 50, startsAt: NOON, reason: 'subscription', at: NOON };
    await grantCredits(sql, { ...grant, kind: 'subscription', sourceKey: 'late', expiresAt: after(365) });
    await grantCredits(sql, { ...grant, kind: 'adjustment', sourceKey: 'soon', expiresAt: after(1) });
    expect(await take(userId, 55, { at: NOON })).toEqual({ result: 'held', balance: 85 });
    expect(await bucketsOf(sql, userId)).toMatchObject([
      { source: 'free:0', available: 35, held: 5 },
      { source: 'late', available: 50, held: 0 },
      { source: 'soon', available: 0, held: 50 },
    ]);
    expect(await take(userId, 60, { at: after(1) })).toEqual({ result: 'held', balance: 25 });
    expect(await bucketsOf(sql, userId)).toMatchObject([
      { source: 'free:0', available: 0, held: 40 },
      { source: 'late', available: 25, held: 25 },
      { source: 'soon', available: 0, held: 50, expired: 0 },
    ]);
  });

  it('spends equal expiries in the order of their granting', async () => {
    const userId = await addUser(sql, NOON);
    for (const sourceKey of ['b', 'a', 'c']) {
      const bucket = { userId, sourceKey, amount: 10, expiresAt: after(2), reason: 'goodwill', at: NOON };
      await grantCredits(sql, { ...bucket, kind: 'adjustment' });
    }
    await take(userId, 15, { at: NOON });
    const [a, b, c] = await bucketsOf(sql, userId);
    expect([b?.held, a?.held, c?.held]).toEqual([10, 5, 0]);
  });

  it('does not take what has expired, to the millisecond', async () => {
    const userId = await addUser(sql, NOON);
    const end = after(3);
    const bucket = {
      userId,
      kind: 'adjustment',
      sourceKey: 'short',
      amount: 60,
      reason: 'goodwill',
    } as const;
    await grantCredits(sql, { ...bucket, expiresAt: end, at: NOON });
    const before = new Date(end.getTime() - 1);
    expect(await take(userId, 50, { at: before })).toEqual({ result: 'held', balance: 50 });
    expect(await take(userId, 50, { at: end })).toEqual({ result: 'insufficient', balance: 40 });
    expect(await bucketsOf(sql, userId)).toMatchObject([{ available: 40 }, { held: 50, expired: 10 }]);
  });

  it('holds exactly 5 of 500 parallel messages of 8 on 40 credits', async () => {
    const userId = await addUser(sql);
    const results = await Promise.all(Array.from({ length: 500 }, () => take(userId, 8)));
    const count = (result: string) => results.filter((one) => one.result === result).length;
    expect([count('held'), count('insufficient')]).toEqual([5, 495]);
    expect(await bucketsOf(sql, userId)).toMatchObject([{ available: 0, held: 40 }]);
    expect(results.map((one) => one.balance).filter((balance) => balance > 0)).toHaveLength(4);
  });

  it('holds one of 20 parallel messages with the same id', async () => {
    const userId = await addUser(sql);
    const holdId = randomUUID();
    const results = await Promise.all(Array.from({ length: 20 }, () => take(userId, 40, { holdId })));
    expect(results.filter(({ result }) => result === 'held')).toHaveLength(1);
    expect(results.filter(({ result }) => result === 'duplicate')).toHaveLength(19);
  });

  it('takes nothing when its transaction is rolled back', async () => {
    const userId = await addUser(sql);
    const rollback = sql.begin(async (tx) => {
      await takeHold(tx, { userId, holdId: randomUUID(), cost: 8, model: 'parley-flash', at: null });
      throw new Error('later step failed');
    });
    await expect(rollback).rejects.toThrow('later step failed');
    expect(await bucketsOf(sql, userId)).toMatchObject([{ available: 40, held: 0 }]);
  });
});
