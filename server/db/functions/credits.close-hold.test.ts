import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNoDrift, later, openLedger } from '#test/credits/ledger.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { POSTGRES_VERSIONS } from '#test/runs.ts';

const NOON = new Date('2026-09-10T12:00:00Z');

describe.each(POSTGRES_VERSIONS)('close_hold on PostgreSQL %i', (version) => {
  let test: TestDatabase;
  let sql: Sql;

  beforeAll(async () => {
    test = await createTestDatabase({ version, poolSize: 16 });
    sql = test.database.sql;
  });
  afterAll(async () => {
    await expectNoDrift(sql);
    await test.drop();
  });

  it('settles a hold: the credits are spent, and no line is added', async () => {
    const ledger = await openLedger(test.database);
    const id = randomUUID();
    await ledger.take(15, id);
    expect((await ledger.page()).entries[0]).toMatchObject({ kind: 'charge', amount: -15, pending: true });
    expect(await ledger.settle(id)).toEqual({ closed: true, balance: 25 });
    expect(await ledger.counters()).toEqual([25, 0, 15, 0, 0]);
    const { entries } = await ledger.page();
    expect(entries).toHaveLength(2);
    expect(entries[0]).not.toHaveProperty('pending');
  });

  it('releases a hold: everything comes back, with a line that says why', async () => {
    const ledger = await openLedger(test.database);
    const id = randomUUID();
    await ledger.take(15, id);
    expect(await ledger.release(id, 'upstream_timeout')).toEqual({ closed: true, balance: 40 });
    expect(await ledger.counters()).toEqual([40, 0, 0, 0, 0]);
    const { entries } = await ledger.page();
    expect(entries[0]).toMatchObject({
      kind: 'release',
      amount: 15,
      reason: 'upstream_timeout',
      messageId: id,
    });
    expect(entries[1]).toMatchObject({ kind: 'charge', amount: -15, messageId: id });
    expect(entries[1]).not.toHaveProperty('pending');
  });

  it('closes once, whatever is asked afterwards', async () => {
    const ledger = await openLedger(test.database);
    const id = randomUUID();
    await ledger.take(15, id);
    await ledger.settle(id);
    expect(await ledger.release(id)).toEqual({ closed: false, balance: 25 });
    expect(await ledger.settle(id)).toEqual({ closed: false, balance: 25 });
    expect(await ledger.settle(randomUUID())).toEqual({ closed: false, balance: 25 });
    expect(await ledger.counters()).toEqual([25, 0, 15, 0, 0]);
  });

  it('closes no hold of another user', async () => {
    const [one, two] = [await openLedger(test.database), await openLedger(test.database)];
    const id = randomUUID();
    await one.take(15, id);
    expect(await two.release(id)).toEqual({ closed: false, balance: 40 });
    expect(await one.counters()).toEqual([25, 15, 0, 0, 0]);
  });

  it('has one winner when settling and releasing race', async () => {
    const ledger = await openLedger(test.database);
    const grant = { sourceKey: 'plenty', amount: 1000, expiresAt: later(new Date(), 1) };
    await ledger.grant(grant);
    const spent: number[] = [];
    for (let round = 0; round < 25; round += 1) {
      const id = randomUUID();
      await ledger.take(8, id);
      const closes = [ledger.settle(id), ledger.release(id), ledger.release(id, 'interrupted')];
      const results = await Promise.all(closes);
      expect(results.filter(({ closed }) => closed)).toHaveLength(1);
      spent.push(results[0]?.closed ? 8 : 0);
    }
    const total = spent.reduce((sum, one) => sum + one, 0);
    expect(await ledger.balance()).toBe(1040 - total);
  });

  it('gives a hold over two buckets back to both, as one line each way', async () => {
    const ledger = await openLedger(test.database, NOON);
    await ledger.grant({ sourceKey: 'small', amount: 5, expiresAt: later(NOON, 1) });
    const id = randomUUID();
    await ledger.take(20, id);
    expect(await ledger.counters('small')).toEqual([0, 5, 0, 0, 0]);
    await ledger.release(id);
    expect(await ledger.counters('small')).toEqual([5, 0, 0, 0, 0]);
    expect(await ledger.counters()).toEqual([40, 0, 0, 0, 0]);
    expect((await ledger.lines()).slice(2)).toEqual([
      ['charge', -20, 25, 'message'],
      ['release', 20, 45, 'upstream_failed'],
    ]);
  });

  it('does not bring back what expired while it was held', async () => {
    const ledger = await openLedger(test.database, NOON);
    await ledger.grant({ sourceKey: 'small', amount: 5, expiresAt: later(NOON, 1) });
    const id = randomUUID();
    await ledger.take(20, id);
    ledger.now = later(NOON, 1);
    expect(await ledger.release(id, 'interrupted')).toEqual({ closed: true, balance: 40 });
    expect(await ledger.counters('small')).toEqual([0, 0, 0, 5, 0]);
    expect((await ledger.lines()).slice(2)).toEqual([
      ['charge', -20, 25, 'message'],
      ['release', 20, 45, 'interrupted'],
      ['expire', -5, 40, 'expired'],
    ]);
  });

  it('does not bring back what has ended even if the clock is set back meanwhile', async () => {
    const ledger = await openLedger(test.database, NOON);
    await ledger.grant({ sourceKey: 'small', amount: 5, expiresAt: later(NOON, 1) });
    const id = randomUUID();
    await ledger.take(5, id);
    ledger.now = later(NOON, 2);
    await ledger.balance();
    ledger.now = later(NOON, 0.5);
    expect(await ledger.release(id)).toEqual({ closed: true, balance: 40 });
    expect(await ledger.counters('small')).toEqual([0, 0, 0, 5, 0]);
  });

  it('charges an answer that outlives the bucket it is paid from', async () => {
    const ledger = await openLedger(test.database, NOON);
    const id = randomUUID();
    await ledger.take(15, id);
    ledger.now = later(NOON, 31);
    expect(await ledger.settle(id)).toEqual({ closed: true, balance: 40 });
    expect(await ledger.counters()).toEqual([0, 0, 15, 25, 0]);
    expect(await ledger.lines()).toEqual([
      ['grant', 40, 40, 'free_month'],
      ['charge', -15, 25, 'message'],
      ['expire', -25, 0, 'expired'],
      ['grant', 40, 40, 'free_month'],
    ]);
  });

  it('passes on to a refund what comes back, before it expires', async () => {
    const ledger = await openLedger(test.database, NOON);
    await ledger.grant({
      sourceKey: 'paid',
      paymentKey: `pay-${ledger.userId}`,
      amount: 10,
      expiresAt: later(NOON, 1),
    });
    const id = randomUUID();
    await ledger.take(10, id);
    expect(await ledger.revoke({ sourceKey: 'paid' }, 6)).toEqual({ known: true, taken: 0, balance: 40 });
    ledger.now = later(NOON, 2);
    expect(await ledger.release(id)).toEqual({ closed: true, balance: 40 });
    expect(await ledger.counters('paid')).toEqual([0, 0, 0, 4, 6]);
    expect((await ledger.lines()).slice(3)).toEqual([
      ['release', 10, 50, 'upstream_failed'],
      ['revoke', -6, 44, 'refund'],
      ['expire', -4, 40, 'expired'],
    ]);
  });

  it('refuses an outcome it does not know', async () => {
    const ledger = await openLedger(test.database);
    const id = randomUUID();
    await ledger.take(8, id);
    const close = sql`select * from credit.close_hold(${ledger.userId}, ${id}, 'held', 'x', null)`;
    await expect(close).rejects.toThrow('violates check constraint');
    const open = sql`select * from credit.close_hold(${ledger.userId}, ${id}, 'open', 'x', null)`;
    await expect(open).rejects.toThrow('hold_state_check');
    expect(await ledger.counters()).toEqual([32, 8, 0, 0, 0]);
  });
});
