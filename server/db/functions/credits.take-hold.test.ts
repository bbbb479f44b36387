import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takeHold } from '#test/credits/holds.ts';
import { expectNoDrift, later, openLedger } from '#test/credits/ledger.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { POSTGRES_VERSIONS } from '#test/runs.ts';

const NOON = new Date('2026-09-10T12:00:00Z');

describe.each(POSTGRES_VERSIONS)('take_hold on PostgreSQL %i', (version) => {
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

  it('holds the cost of a message and tells what is left', async () => {
    const ledger = await openLedger(test.database);
    expect(await ledger.take(15)).toEqual({ result: 'held', balance: 25 });
    expect(await ledger.counters()).toEqual([25, 15, 0, 0, 0]);
  });

  it('takes the whole balance, and not one credit more', async () => {
    const ledger = await openLedger(test.database);
    expect(await ledger.take(41)).toEqual({ result: 'insufficient', balance: 40 });
    expect(await ledger.take(40)).toEqual({ result: 'held', balance: 0 });
    expect(await ledger.take(1)).toEqual({ result: 'insufficient', balance: 0 });
  });

  it('knows a repeated id as a duplicate, whether held, settled or released, and whatever is left', async () => {
    const ledger = await openLedger(test.database);
    const [held, settled, released] = [randomUUID(), randomUUID(), randomUUID()];
    await ledger.take(20, settled);
    await ledger.settle(settled);
    await ledger.take(5, released);
    await ledger.release(released);
    await ledger.take(20, held);
    for (const holdId of [held, settled, released]) {
      expect(await ledger.take(20, holdId)).toEqual({ result: 'duplicate', balance: 0 });
    }
  });

  it('keeps the holds of two users apart even if their clients made the same id', async () => {
    const [one, two] = [await openLedger(test.database), await openLedger(test.database)];
    const holdId = randomUUID();
    expect(await one.take(8, holdId)).toMatchObject({ result: 'held' });
    expect(await two.take(20, holdId)).toMatchObject({ result: 'held' });
    await one.settle(holdId);
    expect(await one.counters()).toEqual([32, 0, 8, 0, 0]);
    expect(await two.counters()).toEqual([20, 20, 0, 0, 0]);
  });

  it('refuses a frozen account, and a cost that is no price', async () => {
    const ledger = await openLedger(test.database);
    await expect(ledger.take(0)).rejects.toThrow('hold_cost_check');
    await expect(ledger.take(-8)).rejects.toThrow('hold_cost_check');
    await sql`update credit.account set frozen_at = now() where user_id = ${ledger.userId}`;
    expect(await ledger.take(8)).toEqual({ result: 'frozen', balance: 40 });
  });

  it('fails for somebody without an account', async () => {
    const hold = { userId: randomUUID(), holdId: randomUUID(), cost: 8, model: 'parley-flash', at: null };
    await expect(takeHold(sql, hold)).rejects.toThrow('no rows');
  });

  it('takes from the bucket that expires first, also when it was granted last', async () => {
    const ledger = await openLedger(test.database, NOON);
    await ledger.grant({ sourceKey: 'late', amount: 50, expiresAt: later(NOON, 365), kind: 'subscription' });
    await ledger.grant({ sourceKey: 'soon', amount: 50, expiresAt: later(NOON, 1) });
    expect(await ledger.take(55)).toEqual({ result: 'held', balance: 85 });
    expect(await ledger.counters('soon')).toEqual([0, 50, 0, 0, 0]);
    expect(await ledger.counters('free:0')).toEqual([35, 5, 0, 0, 0]);
    expect(await ledger.take(60)).toEqual({ result: 'held', balance: 25 });
    expect(await ledger.counters('free:0')).toEqual([0, 40, 0, 0, 0]);
    expect(await ledger.counters('late')).toEqual([25, 25, 0, 0, 0]);
  });

  it('spends equal expiries in the order of their granting', async () => {
    const ledger = await openLedger(test.database, NOON);
    for (const sourceKey of ['b', 'a', 'c']) {
      await ledger.grant({ sourceKey, amount: 10, expiresAt: later(NOON, 2) });
    }
    await ledger.take(15);
    expect(await ledger.counters('b')).toEqual([0, 10, 0, 0, 0]);
    expect(await ledger.counters('a')).toEqual([5, 5, 0, 0, 0]);
    expect(await ledger.counters('c')).toEqual([10, 0, 0, 0, 0]);
  });

  it('does not take what has expired, to the millisecond', async () => {
    const ledger = await openLedger(test.database, NOON);
    const end = later(NOON, 3);
    await ledger.grant({ sourceKey: 'short', amount: 60, expiresAt: end });
    ledger.now = new Date(end.getTime() - 1);
    expect(await ledger.take(50)).toEqual({ result: 'held', balance: 50 });
    ledger.now = end;
    expect(await ledger.take(50)).toEqual({ result: 'insufficient', balance: 40 });
    expect(await ledger.counters('short')).toEqual([0, 50, 0, 10, 0]);
  });

  it('holds exactly 5 of 500 parallel messages of 8 on 40 credits', async () => {
    const ledger = await openLedger(test.database);
    const results = await Promise.all(Array.from({ length: 500 }, () => ledger.take(8)));
    const count = (result: string) => results.filter((one) => one.result === result).length;
    expect([count('held'), count('insufficient')]).toEqual([5, 495]);
    expect(await ledger.counters()).toEqual([0, 40, 0, 0, 0]);
    expect(
      results
        .map((one) => one.balance)
        .sort((a, b) => b - a)
        .slice(0, 5),
    ).toEqual([32, 24, 16, 8, 0]);
  });

  it('holds one of 20 parallel messages with the same id', async () => {
    const ledger = await openLedger(test.database);
    const holdId = randomUUID();
    const results = await Promise.all(Array.from({ length: 20 }, () => ledger.take(40, holdId)));
    expect(results.filter(({ result }) => result === 'held')).toHaveLength(1);
    expect(results.filter(({ result }) => result === 'duplicate')).toHaveLength(19);
  });

  it('takes nothing when its transaction is rolled back', async () => {
    const ledger = await openLedger(test.database);
    const hold = { userId: ledger.userId, holdId: randomUUID(), cost: 8, model: 'parley-flash', at: null };
    const rollback = sql.begin(async (tx) => {
      await takeHold(tx, hold);
      throw new Error('later step failed');
    });
    await expect(rollback).rejects.toThrow('later step failed');
    expect(await ledger.counters()).toEqual([40, 0, 0, 0, 0]);
  });
});
