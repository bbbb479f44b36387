import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNoDrift, later, openLedger } from '#test/credits/ledger.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { POSTGRES_VERSIONS, runs } from '#test/runs.ts';

const NOON = new Date('2026-09-10T12:00:00Z');

describe.each(POSTGRES_VERSIONS)('revokeCredits on PostgreSQL %i', (version) => {
  let test: TestDatabase;
  let sql: Sql;

  beforeAll(async () => {
    test = await createTestDatabase({ version });
    sql = test.database.sql;
  });
  afterAll(async () => {
    await expectNoDrift(sql);
    await test.drop();
  });

  async function subscriber() {
    const ledger = await openLedger(test.database, NOON);
    const paymentKey = `creem:${ledger.userId}`;
    const plan = { kind: 'subscription', reason: 'subscription', sourceKey: 'sub', paymentKey } as const;
    await ledger.grant({ ...plan, amount: 500, expiresAt: later(NOON, 20) });
    return { ...ledger, ledger, paymentKey };
  }

  async function unrecovered(userId: string) {
    const rows = await sql`select reason, missing from credit.unrecovered where user_id = ${userId}`;
    return [...rows];
  }

  it('takes an unspent grant back whole, and leaves what the user had besides', async () => {
    const { ledger, paymentKey, userId } = await subscriber();
    expect(await ledger.revoke({ paymentKey }, 500)).toEqual({ known: true, taken: 500, balance: 40 });
    expect(await ledger.counters('sub')).toEqual([0, 0, 0, 0, 500]);
    expect((await ledger.lines()).at(-1)).toEqual(['revoke', -500, 40, 'refund']);
    expect(await unrecovered(userId)).toEqual([]);
  });

  it('takes back what is left and keeps what was spent visible to the operator', async () => {
    const { ledger, paymentKey, userId } = await subscriber();
    const [spent, running] = [randomUUID(), randomUUID()];
    await ledger.take(300, spent);
    await ledger.settle(spent);
    await ledger.take(100, running);
    expect(await ledger.revoke({ paymentKey }, 500, 'dispute')).toEqual({
      known: true,
      taken: 100,
      balance: 40,
    });
    expect(await unrecovered(userId)).toEqual([]);
    expect(await ledger.release(running)).toEqual({ closed: true, balance: 40 });
    expect(await ledger.counters('sub')).toEqual([0, 0, 300, 0, 200]);
    expect(await unrecovered(userId)).toEqual([{ reason: 'dispute', missing: 300 }]);
    expect((await ledger.lines()).slice(-3)).toEqual([
      ['revoke', -100, 40, 'dispute'],
      ['release', 100, 140, 'upstream_failed'],
      ['revoke', -100, 40, 'dispute'],
    ]);
  });

  it('counts a message that was running at the refund as spent when it settles', async () => {
    const { ledger, paymentKey, userId } = await subscriber();
    const running = randomUUID();
    await ledger.take(60, running);
    await ledger.revoke({ paymentKey }, 500);
    expect(await ledger.settle(running)).toEqual({ closed: true, balance: 40 });
    expect(await unrecovered(userId)).toEqual([{ reason: 'refund', missing: 60 }]);
  });

  it('misses nothing of credits that expired unspent', async () => {
    const { ledger, paymentKey, userId } = await subscriber();
    ledger.now = later(NOON, 25);
    expect(await ledger.revoke({ paymentKey }, 500)).toEqual({ known: true, taken: 0, balance: 40 });
    expect(await ledger.counters('sub')).toEqual([0, 0, 0, 500, 0]);
    expect(await unrecovered(userId)).toEqual([]);
  });

  it('says that it does not know a key that nothing was granted for, and takes it back after the grant', async () => {
    const ledger = await openLedger(test.database, NOON);
    const paymentKey = `early:${ledger.userId}`;
    expect(await ledger.revoke({ paymentKey }, 10)).toEqual({ known: false, taken: 0, balance: 40 });
    await ledger.grant({ sourceKey: 'a', paymentKey, amount: 10, expiresAt: later(NOON, 1) });
    expect(await ledger.revoke({ paymentKey }, 10)).toEqual({ known: true, taken: 10, balance: 40 });
  });

  it('touches no grant of another user', async () => {
    const { ledger, paymentKey } = await subscriber();
    const other = await openLedger(test.database, NOON);
    expect(await other.revoke({ paymentKey }, 500)).toMatchObject({ known: false });
    expect(await ledger.balance()).toBe(540);
  });

  it('begins the free month again once the plan was taken back whole, not after a part', async () => {
    const { ledger, paymentKey } = await subscriber();
    ledger.now = later(NOON, 31);
    await ledger.grant({ kind: 'subscription', sourceKey: 'sub2', amount: 500, expiresAt: later(NOON, 61) });
    expect(await ledger.balance()).toBe(500);
    await ledger.revoke({ sourceKey: 'sub2' }, 499);
    expect(await ledger.balance()).toBe(1);
    await ledger.revoke({ paymentKey }, 500);
    await ledger.revoke({ sourceKey: 'sub2' }, 500);
    expect(await ledger.balance()).toBe(40);
  });

  it('ends the same whatever the order and number of refunds and disputes', async () => {
    const totals = fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(totals, fc.integer({ min: 0, max: 500 }), async (all, cost) => {
        const { ledger, paymentKey } = await subscriber();
        const spent = randomUUID();
        if (cost > 0) await ledger.take(cost, spent);
        if (cost > 0) await ledger.settle(spent);
        for (const total of all) await ledger.revoke({ paymentKey }, total);
        const target = Math.min(500, Math.max(...all));
        const revoked = Math.min(target, 500 - cost);
        expect(await ledger.counters('sub')).toEqual([500 - cost - revoked, 0, cost, 0, revoked]);
        expect(await ledger.balance()).toBe(540 - cost - revoked);
      }),
      { numRuns: runs(25) },
    );
  });
});
