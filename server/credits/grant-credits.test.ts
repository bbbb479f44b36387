import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNoDrift, later, openLedger } from '#test/credits/ledger.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { POSTGRES_VERSIONS } from '#test/runs.ts';

const NOON = new Date('2026-09-10T12:00:00Z');

describe.each(POSTGRES_VERSIONS)('grantCredits on PostgreSQL %i', (version) => {
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

  it('adds a bucket and its line', async () => {
    const ledger = await openLedger(test.database, NOON);
    const orderId = '0199a000-0000-7000-8000-000000000001';
    const bucket = { sourceKey: 'sub:1', amount: 500, expiresAt: later(NOON, 30), orderId };
    const grant = { ...bucket, kind: 'subscription', reason: 'subscription' } as const;
    expect(await ledger.grant(grant)).toEqual({ granted: true, balance: 540 });
    const { entries } = await ledger.page();
    expect(entries[0]).toMatchObject({
      kind: 'grant',
      amount: 500,
      balanceAfter: 540,
      orderId,
      messageId: null,
    });
  });

  it('shows an operator’s correction as an adjustment', async () => {
    const ledger = await openLedger(test.database, NOON);
    await ledger.grant({ sourceKey: 'admin:7', amount: 12, expiresAt: later(NOON, 30) });
    expect(await ledger.lines()).toContainEqual(['adjust', 12, 52, 'goodwill']);
  });

  it('grants once for 200 equal requests at the same time', async () => {
    const ledger = await openLedger(test.database);
    const grant = { sourceKey: 'sub:1:2026-09', amount: 500, expiresAt: later(new Date(), 30) };
    const results = await Promise.all(Array.from({ length: 200 }, () => ledger.grant(grant)));
    expect(results.filter(({ granted }) => granted)).toHaveLength(1);
    expect(new Set(results.map(({ balance }) => balance))).toEqual(new Set([540]));
    expect(await ledger.lines()).toHaveLength(2);
  });

  it('grants one payment once, under whatever source and for whomever it is told', async () => {
    const [one, two] = [await openLedger(test.database, NOON), await openLedger(test.database, NOON)];
    const grant = { amount: 500, expiresAt: later(NOON, 30), paymentKey: `creem:${one.userId}` };
    expect(await one.grant({ ...grant, sourceKey: 'a' })).toEqual({ granted: true, balance: 540 });
    expect(await one.grant({ ...grant, sourceKey: 'b' })).toEqual({ granted: false, balance: 540 });
    expect(await two.grant({ ...grant, sourceKey: 'a' })).toEqual({ granted: false, balance: 40 });
  });

  it('gives two users a bucket of the same source', async () => {
    const [one, two] = [await openLedger(test.database, NOON), await openLedger(test.database, NOON)];
    const grant = { sourceKey: 'campaign', amount: 5, expiresAt: later(NOON, 30) };
    expect([(await one.grant(grant)).granted, (await two.grant(grant)).granted]).toEqual([true, true]);
  });

  it('can be spent from its booking until just before its end', async () => {
    const ledger = await openLedger(test.database, NOON);
    const [start, end] = [later(NOON, 1), later(NOON, 2)];
    ledger.now = start;
    await ledger.grant({ sourceKey: 'day', amount: 10, startsAt: start, expiresAt: end });
    expect(await ledger.balance()).toBe(50);
    ledger.now = new Date(end.getTime() - 1);
    expect(await ledger.balance()).toBe(50);
    ledger.now = end;
    expect(await ledger.balance()).toBe(40);
  });

  it('starts a bucket that is booked early at its booking', async () => {
    const ledger = await openLedger(test.database, NOON);
    const period = { startsAt: later(NOON, 0.001), expiresAt: later(NOON, 30) };
    expect(await ledger.grant({ sourceKey: 'early', amount: 10, ...period })).toMatchObject({ balance: 50 });
    const [row] = await sql`select starts_at from credit.bucket
      where user_id = ${ledger.userId} and source_key = 'early'`;
    expect(row?.starts_at).toEqual(NOON);
  });

  it('books a grant whose period is over and lets it expire at once', async () => {
    const ledger = await openLedger(test.database, NOON);
    ledger.now = later(NOON, 20);
    const period = { startsAt: later(NOON, -40), expiresAt: later(NOON, -10) };
    expect(await ledger.grant({ sourceKey: 'late', amount: 500, ...period })).toEqual({
      granted: true,
      balance: 40,
    });
    expect(await ledger.counters('late')).toEqual([0, 0, 0, 500, 0]);
    expect((await ledger.lines()).slice(1)).toEqual([
      ['adjust', 500, 540, 'goodwill'],
      ['expire', -500, 40, 'expired'],
    ]);
    expect((await ledger.page()).entries[0]?.time).toBe(ledger.now.getTime());
  });

  it('refuses amounts, periods and reasons that make no sense', async () => {
    const ledger = await openLedger(test.database, NOON);
    const good = { sourceKey: 'x', amount: 10, expiresAt: later(NOON, 1) };
    await expect(ledger.grant({ ...good, amount: 0 })).rejects.toThrow('bucket_amount_check');
    await expect(ledger.grant({ ...good, amount: 1_000_001 })).rejects.toThrow('bucket_amount_check');
    await expect(
      ledger.grant({ ...good, startsAt: later(NOON, -1), expiresAt: later(NOON, -1) }),
    ).rejects.toThrow('bucket_period');
    await expect(ledger.grant({ ...good, reason: 'Because!' })).rejects.toThrow('transfer_reason_check');
    await expect(ledger.grant({ ...good, sourceKey: '' })).rejects.toThrow('bucket_source_key_check');
    expect(await ledger.lines()).toHaveLength(1);
  });
});
